import { z } from "zod";
import { isoTime, logFilters, logPaging, MAX_ID, queryInteger } from "#lib/http/fields.ts";

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
  action: z.enum(reviewActions).optional(),
  source: z.enum(["screen", "api", "filter", "service"]).optional(),
  post_id: queryInteger(0, MAX_ID).optional(),
  cursor: logPaging.cursor,
});
export type ReviewLogFilter = z.output<typeof ReviewLogFilter>;
export const ReviewLogQuery = ReviewLogFilter.extend(logPaging);
export type ReviewLogQuery = z.output<typeof ReviewLogQuery>;

export const ReviewLogLine = z.object({
  id: z.string(),
  at: isoTime,
  actor: z.string(),
  member_id: z.int().nullable(),
  source: z.enum(["screen", "api", "filter", "service"]),
  action: z.string(),
  post_id: z.int().nullable().meta({ description: "Id of the post; null on a line for a batch." }),
  from: z.string().nullable(),
  to: z.string().nullable(),
  note: z.string().nullable(),
  batch: z.object({ id: z.string(), decision: z.string(), changed: z.int() }).nullable(),
  post: z
    .object({ url: z.string(), author_account: z.string(), snippet: z.string() })
    .nullable()
    .meta({ description: "Null when the post is deleted." }),
});
export type ReviewLogLine = z.infer<typeof ReviewLogLine>;
export const ReviewLog = z
  .object({ items: z.array(ReviewLogLine), next_cursor: z.string().nullable() })
  .meta({ id: "ReviewLog" });
export type ReviewLog = z.infer<typeof ReviewLog>;
