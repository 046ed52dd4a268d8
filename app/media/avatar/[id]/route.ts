import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { answerPicture } from "#lib/media/answer.ts";
import { mediaOperation } from "#lib/media/operations.ts";
import { avatarPicture } from "#lib/media/picture-source.ts";
import { AVATAR_SIZE } from "#lib/media/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/avatar/{id}",
  {
    GET: operation({
      ...mediaOperation,
      summary: "The picture of a post's author",
      responses: { 200: z.unknown(), 304: null },
      handle: async ({ request, params }) =>
        answerPicture(request, await avatarPicture(params.id), AVATAR_SIZE),
    }),
  },
  "/media",
);
