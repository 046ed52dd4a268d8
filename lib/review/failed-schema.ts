import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { nullableString, queryBoolean, queryInteger } from "#lib/base/http/fields.ts";
import { Post } from "./post-schema.ts";

export const FailedQuery = z.object({
  duplicates: queryBoolean(
    "Only posts that a bot reported as duplicates. Without it: the newest three of each reason.",
  ).optional(),
  limit: queryInteger(1, 100, "Maximum number of duplicates.").optional().default(50),
});
export type FailedQuery = z.output<typeof FailedQuery>;

const FailedPost = Post.extend({
  content_snippet: common.content_snippet,
  reported_by: nullableString("Name of the key or member that reported the error.", "Boost bot"),
  timeouts: z.int().describe("Reservations that ended without an answer."),
  matched: z
    .object({
      post_id: common.post_id,
      author_account: common.author_account,
      media_covered: z.boolean().describe("True when its media should start covered."),
    })
    .nullable()
    .describe("The stored post that a duplicate was matched with."),
});
export type FailedPost = z.infer<typeof FailedPost>;

export const FailedPosts = z
  .object({ items: z.array(FailedPost).describe("Newest report first.") })
  .meta({ id: "FailedPosts" });
export type FailedPosts = z.infer<typeof FailedPosts>;
