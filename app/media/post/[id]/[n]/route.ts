import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { answerPicture } from "#lib/media/answer.ts";
import { mediaOperation, placeOf } from "#lib/media/operations.ts";
import { postPicture } from "#lib/media/picture-source.ts";
import { PictureQuery } from "#lib/media/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/post/{id}/{n}",
  {
    GET: operation({
      ...mediaOperation,
      summary: "A picture of a post",
      query: PictureQuery,
      responses: { 200: z.unknown(), 304: null },
      handle: async ({ request, params, raw, query }) =>
        answerPicture(request, await postPicture(params.id, placeOf(raw.n), query.w), query.w),
    }),
  },
  "/media",
);
