import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { answerPicture } from "#lib/media/answer.ts";
import { mediaOperation, sideOf } from "#lib/media/operations.ts";
import { duplicatePicture } from "#lib/media/picture-source.ts";
import { PictureQuery } from "#lib/media/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/duplicate/{id}/{side}",
  {
    GET: operation({
      ...mediaOperation,
      summary: "One side of a reported duplicate",
      query: PictureQuery,
      responses: { 200: z.unknown(), 304: null },
      handle: async ({ request, params, raw, query }) =>
        answerPicture(request, await duplicatePicture(params.id, sideOf(raw.side), query.w), query.w),
    }),
  },
  "/media",
);
