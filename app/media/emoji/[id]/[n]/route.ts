import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { answerPicture } from "#lib/media/answer.ts";
import { mediaOperation, placeOf } from "#lib/media/operations.ts";
import { emojiPicture } from "#lib/media/picture-source.ts";
import { EMOJI_SIZE } from "#lib/media/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/emoji/{id}/{n}",
  {
    GET: operation({
      ...mediaOperation,
      summary: "A custom emoji of a post",
      responses: { 200: z.unknown(), 304: null },
      handle: async ({ request, params, raw }) =>
        answerPicture(request, await emojiPicture(params.id, placeOf(raw.n)), EMOJI_SIZE),
    }),
  },
  "/media",
);
