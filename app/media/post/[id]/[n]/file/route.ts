import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { answerMediaFile } from "#lib/media/answer.ts";
import { mediaOperation, placeOf } from "#lib/media/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/post/{id}/{n}/file",
  {
    GET: operation({
      ...mediaOperation,
      summary: "A video or audio file of a post, up to 8 MiB",
      errors: [...mediaOperation.errors, "range_not_satisfiable"],
      responses: { 200: z.unknown(), 206: z.unknown(), 304: null },
      handle: ({ request, params, raw }) => answerMediaFile(request, params.id, placeOf(raw.n)),
    }),
  },
  "/media",
);
