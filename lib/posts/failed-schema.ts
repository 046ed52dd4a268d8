import { z } from "zod";
import { queryBoolean, queryInteger, text } from "#lib/http/fields.ts";
import { Post } from "./schema.ts";

export const FailedQuery = z.object({
  reason: text(1000)
    .optional()
    .meta({ description: "Only posts with this reason. Without it: three of each." }),
  duplicates: queryBoolean("Only posts that a bot reported as duplicates.").optional(),
  limit: queryInteger(1, 100, "Maximum number of posts of a reason, or of duplicates.")
    .optional()
    .default(50),
});
export type FailedQuery = z.output<typeof FailedQuery>;

const FailedPost = Post.extend({
  content_snippet: z.string(),
  reported_by: z
    .string()
    .nullable()
    .meta({ description: "Name of the key or member that reported the error.", example: "Boost bot" }),
  timeouts: z.int(),
  matched: z
    .object({
      post_id: z.int(),
      author_account: z.string(),
      media_covered: z.boolean().meta({ description: "True when its media should start covered." }),
    })
    .nullable()
    .meta({ description: "The stored post that a duplicate was matched with." }),
});
export type FailedPost = z.infer<typeof FailedPost>;

export const FailedPosts = z
  .object({ items: z.array(FailedPost).meta({ description: "Newest report first." }) })
  .meta({ id: "FailedPosts" });
export type FailedPosts = z.infer<typeof FailedPosts>;
