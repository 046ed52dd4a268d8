import { z } from "zod";

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
  url: z.string().nullable().meta({ description: "Address reported by the consumer." }),
  post_id: z.int().nullable().meta({ description: "Id of the stored post with this picture, or null." }),
  reported_hash: z.string().nullable(),
  dhash: z
    .string()
    .nullable()
    .meta({ description: "Computed by this service; null for a blank or unavailable picture." }),
  phash: z.string().nullable(),
  problem: z
    .string()
    .nullable()
    .meta({ description: "Reason why the picture is unavailable; null when it is available." }),
});

export const DuplicateComparison = z
  .object({
    post_id: z.int(),
    match_type: z.string().nullable(),
    is_itself: z.boolean().meta({
      description:
        "True when the post was matched with itself: it was probably boosted before and the ack was lost.",
    }),
    current: Side,
    matched: Side,
    reported_distance: z
      .int()
      .nullable()
      .meta({ description: "Number of bits in which the two reported hashes differ." }),
    distance: z
      .object({ dhash: z.int(), phash: z.int(), sum: z.int() })
      .nullable()
      .meta({ description: "Number of bits in which the hashes computed by this service differ." }),
    same_picture: z
      .boolean()
      .nullable()
      .meta({ description: "True when `sum` is at most 24; null when a hash is missing." }),
  })
  .meta({ id: "DuplicateComparison" });
export type DuplicateComparison = z.infer<typeof DuplicateComparison>;
