import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { stringField } from "#lib/base/http/fields.ts";

export const PictureQuery = z.object({
  w: z
    .enum(["320", "960", "1600"], { error: "must be 320, 960 or 1600" })
    .optional()
    .default("960")
    .transform(Number)
    .meta({ override: { type: "integer", enum: [320, 960, 1600], default: 960 }, description: "Pixels." }),
});

/** Earlier posts with a picture of a post, as in `GET /posts/{id}`. */
export const SeenBefore = z
  .array(
    z.object({
      medium: z.int().describe("Index of the picture in this post, from 0."),
      post_id: z.int().meta({ description: "Id of the earlier post with the same picture.", example: 42 }),
      post_medium: z.int().describe("Index of the picture in the earlier post."),
      author_account: stringField("Author as `@user@host`.", "@alice@mastodon.social"),
      approved: common.approved,
      queue_status: z
        .enum(["pending", "reserved", "delivered", "error"])
        .nullable()
        .describe("State of the queue; null for posts that are not in it."),
      reviewed_at: common.reviewed_at,
      created_at: common.created_at,
      distance: z.int().describe("Number of differing bits, of 128, in both hashes; 0 to 24."),
    }),
  )
  .describe("Earlier posts with the same picture. At most one for each picture: the most similar.");
export type SeenBefore = z.infer<typeof SeenBefore>;
