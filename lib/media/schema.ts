import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { nullableString } from "#lib/base/http/fields.ts";

export const PictureQuery = z.object({
  w: z
    .enum(["320", "960", "1600"], { error: "must be 320, 960 or 1600" })
    .optional()
    .default("960")
    .transform(Number)
    .meta({ override: { type: "integer", enum: [320, 960, 1600], default: 960 }, description: "Pixels." }),
});

/** Pixels, for double density. */
export const AVATAR_SIZE = 160;

/** Pixels, for double density. */
export const EMOJI_SIZE = 64;

const Side = z.object({
  url: nullableString("Address reported by the consumer.", "https://mastodon.example/@ana/113"),
  post_id: z
    .int()
    .nullable()
    .meta({ description: "Id of the stored post with this picture, or null.", example: 42 }),
  reported_hash: nullableString("Hash that the consumer sent.", "8f0f1e3c3c7e7e00"),
  dhash: nullableString(
    "Computed by this service; null for a blank or unavailable picture.",
    "8f0f1e3c3c7e7e00",
  ),
  phash: nullableString("Perceptual hash of the picture.", "8f0f1e3c3c7e7e00"),
  problem: nullableString(
    "Reason why the picture is unavailable; null when it is available.",
    "The picture could not be fetched",
  ),
});

export const DuplicateComparison = z
  .object({
    post_id: common.post_id,
    match_type: nullableString(
      "How the consumer recognised the picture: `url`, `sha256` or `dhash`.",
      "dhash",
    ),
    is_itself: z
      .boolean()
      .describe(
        "True when the post was matched with itself: it was probably boosted before and the ack was lost.",
      ),
    current: Side.describe("Picture of the post that the consumer reported."),
    matched: Side.describe("Picture that the consumer took for the same."),
    reported_distance: z.int().nullable().describe("Number of bits in which the two reported hashes differ."),
    distance: z
      .object({
        dhash: z.int().describe("Distance of the dHashes in bits."),
        phash: z.int().describe("Distance of the perceptual hashes in bits."),
        sum: z.int().describe("Distance of the sums of the hashes in bits."),
      })
      .nullable()
      .describe("Number of bits in which the hashes computed by this service differ."),
    same_picture: z
      .boolean()
      .nullable()
      .describe("True when `sum` is at most 24; null when a hash is missing."),
  })
  .meta({ id: "DuplicateComparison" });
export type DuplicateComparison = z.infer<typeof DuplicateComparison>;
