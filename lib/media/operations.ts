import { z } from "zod";
import { operation } from "#lib/accounts/route.ts";
import { ApiError } from "#lib/base/errors.ts";
import { answerMediaFile, answerPicture } from "./answer.ts";
import { avatarPicture, duplicatePicture, emojiPicture, postPicture } from "./picture-source.ts";
import { PictureQuery } from "./schema.ts";

/** Declarations that all operations share: they need a session and the id of a post. */
const declared = {
  tag: "Media",
  scope: "read",
  sessionOnly: true,
  ids: ["id"],
  errors: ["picture_not_found", "picture_unavailable"],
} as const;
const responses = { 200: z.unknown(), 304: null };

/** Pixels, for screens of double density. */
const [AVATAR_SIZE, EMOJI_SIZE] = [160, 64];

/**
 * Index of a medium, from 0.
 *
 * @throws ApiError `picture_not_found` for anything else
 */
function placeOf({ n = "" }: Partial<Record<string, string>>): number {
  if (!/^\d{1,3}$/.test(n)) throw new ApiError("picture_not_found");
  return Number(n);
}

export const media = {
  picture: operation({
    ...declared,
    summary: "A picture of a post",
    query: PictureQuery,
    responses,
    handle: async ({ request, params, raw, query }) =>
      answerPicture(request, await postPicture(params.id, placeOf(raw), query.w), query.w),
  }),
  file: operation({
    ...declared,
    summary: "A video or audio file of a post, up to 8 MiB",
    errors: [...declared.errors, "range_not_satisfiable"],
    responses: { ...responses, 206: z.unknown() },
    handle: ({ request, params, raw }) => answerMediaFile(request, params.id, placeOf(raw)),
  }),
  avatar: operation({
    ...declared,
    summary: "The picture of a post's author",
    responses,
    handle: async ({ request, params }) =>
      answerPicture(request, await avatarPicture(params.id), AVATAR_SIZE),
  }),
  emoji: operation({
    ...declared,
    summary: "A custom emoji of a post",
    responses,
    handle: async ({ request, params, raw }) =>
      answerPicture(request, await emojiPicture(params.id, placeOf(raw)), EMOJI_SIZE),
  }),
  duplicate: operation({
    ...declared,
    summary: "One side of a reported duplicate",
    query: PictureQuery,
    responses,
    handle: async ({ request, params, raw: { side }, query }) => {
      if (side !== "current" && side !== "matched") throw new ApiError("picture_not_found");
      return answerPicture(request, await duplicatePicture(params.id, side, query.w), query.w);
    },
  }),
};
