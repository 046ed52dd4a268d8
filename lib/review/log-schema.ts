import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { MAX_ID, nullableString, queryInteger, queryTime, stringField, text } from "#lib/base/http/fields.ts";

/** Actions that are decisions. The index post_event_review_idx lists the same ones. */
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

const source = z
  .enum(["screen", "api", "filter", "service"])
  .describe("Part of the service through which it was done.");

export const LogQuery = z.object({
  action: text(100)
    .optional()
    .describe(
      "One action, such as `reject` or `stream.create`, all changes to one kind, such as `stream`, or `decisions` or `changes`.",
    ),
  actor: text(200).optional().describe("Name of the member or key."),
  member_id: queryInteger(1, MAX_ID).optional().describe("Only actions of this member."),
  source: source.optional(),
  since: queryTime().optional().describe("Not before this time."),
  until: queryTime().optional().describe("Not after this time."),
  post_id: queryInteger(0, MAX_ID)
    .optional()
    .describe("Only this post, with its deliveries: `id` in `GET /posts`, `fenliu_post_id` in the queue."),
  batch: z.uuid().optional().describe("Only the posts of the batch with this id."),
  cursor: z
    .string()
    .regex(/^\d{0,18}-\d{0,18}$/, "must be a next_cursor of an earlier answer")
    .optional()
    .describe("`next_cursor` of the page before."),
  limit: queryInteger(1, 1000, "Maximum number of lines.").optional().default(100),
});
export type LogQuery = z.output<typeof LogQuery>;

export const LogLine = z.object({
  id: common.text_id.describe("Unique among the entries of its kind."),
  kind: z.enum(["decision", "change"]).describe("A decision about posts, or a change to anything else."),
  at: common.at,
  actor: common.actor,
  member_id: common.member_id,
  source,
  action: common.action,
  subject: nullableString("The changed object; null for a decision.", "#birds on mastodon.example"),
  before: z.unknown().describe("Values before the change; null for a decision."),
  after: z.unknown().describe("Values after the change; null for a decision."),
  post_id: z
    .int()
    .nullable()
    .meta({ description: "Id of the post; null for a batch and a change.", example: 42 }),
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
    .object({
      url: common.url,
      author_account: common.author_account,
      snippet: stringField("Beginning of the text.", "A heron at the weir this morning"),
    })
    .nullable()
    .describe("Null when the post is deleted, and for a change."),
});
export type LogLine = z.infer<typeof LogLine>;

export const Log = z
  .object({
    items: z.array(LogLine).describe("Entries of this page."),
    next_cursor: nullableString("Value of `cursor` for the next page; null at the end.", "1200-77"),
  })
  .meta({ id: "Log" });
export type Log = z.infer<typeof Log>;
