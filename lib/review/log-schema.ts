import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { logFilters, logPaging, MAX_ID, queryInteger, stringField } from "#lib/base/http/fields.ts";

/** The partial indexes on `post_event` list the same actions. */
export const reviewActions = [
  "approve",
  "reject",
  "unreview",
  "auto_reject",
  "skip",
  "unskip",
  "note",
  "score",
  "batch",
  "batch_undo",
  "edit",
  "delete",
] as const;

export const ReviewLogFilter = z.object({
  ...logFilters,
  action: z.enum(reviewActions).optional().describe("Only this action."),
  reject_reason: queryInteger(1, MAX_ID)
    .optional()
    .describe("Only rejections for the reason with this id, and changes to it."),
  source: z
    .enum(["screen", "api", "filter", "service"])
    .optional()
    .describe("Only actions through this part of the service."),
  post_id: queryInteger(0, MAX_ID)
    .optional()
    .describe("Only this post: `id` in `GET /posts`, `fenliu_post_id` in the queue."),
  batch: z.uuid().optional().describe("Only the posts of the batch with this id."),
  cursor: logPaging.cursor,
});
export type ReviewLogFilter = z.output<typeof ReviewLogFilter>;
export const ReviewLogQuery = ReviewLogFilter.extend(logPaging);
export type ReviewLogQuery = z.output<typeof ReviewLogQuery>;

export const ReviewLogLine = z.object({
  id: common.text_id,
  at: common.at,
  actor: common.actor,
  member_id: common.member_id,
  source: z
    .enum(["screen", "api", "filter", "service"])
    .describe("Part of the service through which it was done."),
  action: common.action,
  post_id: z
    .int()
    .nullable()
    .meta({ description: "Id of the post; null on a line for a batch.", example: 42 }),
  from: common.from,
  to: common.to,
  note: common.note,
  reject_reason: common.reject_reason,
  reject_reason_label: common.reject_reason_label,
  batch: z
    .object({
      id: common.text_id,
      decision: stringField("The decision.", "approve"),
      changed: common.changed,
      author_account: common.author_account
        .nullable()
        .describe("Author of all its posts; null when they have several."),
    })
    .nullable()
    .describe("The batch that the decision belongs to."),
  post: z
    .object({ url: common.url, author_account: common.author_account, snippet: common.snippet })
    .nullable()
    .describe("Null when the post is deleted."),
});
export type ReviewLogLine = z.infer<typeof ReviewLogLine>;
export const ReviewLog = z
  .object({
    items: z.array(ReviewLogLine).describe("Entries of this page."),
    next_cursor: common.next_cursor,
  })
  .meta({ id: "ReviewLog" });
export type ReviewLog = z.infer<typeof ReviewLog>;
