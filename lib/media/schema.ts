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
  url: z.string().nullable().meta({ description: "As the consumer gave it." }),
  post_id: z.int().nullable().meta({ description: "Our own post, where known." }),
  reported_hash: z.string().nullable(),
  dhash: z
    .string()
    .nullable()
    .meta({ description: "Ours; null for a blank picture or one that cannot be had." }),
  phash: z.string().nullable(),
  problem: z.string().nullable().meta({ description: "Why there is no picture, in one sentence." }),
});

export const DuplicateComparison = z
  .object({
    post_id: z.int(),
    match_type: z.string().nullable(),
    is_itself: z
      .boolean()
      .meta({ description: "Matched with itself: it was probably boosted before and its ack was lost." }),
    current: Side,
    matched: Side,
    reported_distance: z.int().nullable().meta({ description: "Bits between the two reported hashes." }),
    distance: z
      .object({ dhash: z.int(), phash: z.int(), sum: z.int() })
      .nullable()
      .meta({ description: "Bits between our own hashes." }),
    same_picture: z
      .boolean()
      .nullable()
      .meta({ description: "Sum of at most 24; null: nothing to compare." }),
  })
  .meta({ id: "DuplicateComparison" });
export type DuplicateComparison = z.infer<typeof DuplicateComparison>;
