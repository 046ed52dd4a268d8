import { z } from "zod";
import { definitionOf } from "#lib/base/figures-schema.ts";
import { common } from "#lib/base/http/common-fields.ts";
import { countOf, isoTime, nullableString } from "#lib/base/http/fields.ts";
import { Emoji } from "#lib/fediverse/emojis.ts";

export const ListedPost = z.object({
  post_id: common.post_id,
  author_account: common.author_account,
  content_snippet: common.content_snippet,
  emojis: z.array(Emoji).describe("Custom emoji in the text."),
  stream: common.stream,
  has_attachments: common.has_attachments,
  approved_at: common.approved_at,
  delivery_count: common.delivery_count,
  /** Nacked and timed-out deliveries. */
  nacks: common.nacks,
  timeouts: common.timeouts,
  refusals: z.int().describe("Nacks and time-outs in a row."),
  not_before: isoTime.nullable().describe("The post is kept back until then; null when it is not."),
  reserved_at: common.reserved_at,
  reserved_until: isoTime
    .nullable()
    .describe("When the reservation ends; in the past for a post that the next request returns."),
  reserved_by: nullableString("Name of the key or member that holds the post.", "Boost bot"),
  held_by: nullableString("First reason why the post is not offered; null for none.", "unconfirmed"),
});
export type ListedPost = z.infer<typeof ListedPost>;

/** @param days of runway; null without deliveries */
export function isSupplyLow(days: number | null): boolean {
  return days !== null && days < 1;
}

export const paceDays = z
  .int()
  .describe("Whole days that `deliveries_per_day` covers, 1 to 28: `lookback_days` of a trim at this pace.");

export const QueueOverview = z
  .object({
    counts: z
      .object({
        pending: countOf("pending"),
        reserved: countOf("reserved"),
        delivered: countOf("stored_delivered"),
        error: countOf("stored_errors"),
      })
      .describe(
        "Posts by state of the queue. A post whose reservation has expired counts as pending and as timed out.",
      ),
    all_time: z
      .object({
        delivered: countOf("delivered"),
        errors: countOf("errors"),
        trimmed: countOf("trimmed"),
        nacks: countOf("nacks"),
        timeouts: countOf("timeouts"),
      })
      .describe("Counts that survive the deletion of posts."),
    available: z.int().describe("Posts that can be handed out now."),
    kept_back: z.int().describe("Posts that are kept back after several refusals."),
    held: z.array(z.object({ reason: common.reason, count: common.count })).describe("Held posts by reason."),
    deliveries_per_day: z.number().describe(definitionOf("deliveries_per_day")),
    pace_days: paceDays,
    runway_days: z
      .number()
      .nullable()
      .describe(`${definitionOf("runway_days")} Null without deliveries.`),
    runs_dry_at: isoTime.nullable().describe("The end of the runway; null without deliveries."),
    upcoming: z.array(ListedPost).describe("Posts that come next, oldest first."),
    reservations: z
      .array(ListedPost)
      .describe("Posts that consumers hold now, without expired reservations."),
    refused: z.array(ListedPost).describe("Posts that were refused several times."),
    held_posts: z.array(ListedPost).describe("Newest held posts."),
  })
  .meta({ id: "QueueOverview" });
export type QueueOverview = z.infer<typeof QueueOverview>;
export type QueueSupply = Omit<QueueOverview, "upcoming" | "reservations" | "refused" | "held_posts">;
