import { z } from "zod";
import { type FigureName, figures } from "#lib/base/figures-schema.ts";
import { common } from "#lib/base/http/common-fields.ts";
import { countOf, isoTime } from "#lib/base/http/fields.ts";
import { metricsOf, type Metric } from "./metrics-schema.ts";

const count = z.int().min(0);
/** A count for each metric, with its definition as description. */
export const counts = <M extends Metric>(names: readonly M[]) =>
  Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<M, typeof count>;
/** A percentage with its definition as description. */
export const percentOf = (name: FigureName) =>
  z.number().meta({
    description: `${figures[name].definition} Percent, two decimals; 0 of nothing.`,
    example: 41.67,
  });
/** In the API, `approval_rate` is the share of approved posts among all stored ones. */
const rates = {
  approval_rate: percentOf("approved_share"),
  approval_rate_of_decisions: percentOf("approval_rate"),
};

export const QueueCounts = z
  .object({
    pending: countOf("pending"),
    reserved: countOf("reserved"),
    delivered: countOf("stored_delivered"),
    error: countOf("stored_errors"),
  })
  .meta({ id: "QueueCounts" });
const queueCounts = QueueCounts.describe("Posts by state of the queue.");

export const Stats = z
  .object({
    total_posts: countOf("stored"),
    approved_posts: countOf("stored_approved"),
    rejected_posts: countOf("stored_rejected"),
    unreviewed_posts: countOf("unreviewed"),
    total_streams: count.describe("Streams, active or not."),
    active_streams: count.describe("Streams that are fetched."),
    queue_status: queueCounts,
    ...rates,
    last_fetch: common.last_fetch,
    created_at: isoTime.describe("Creation time of this installation's database."),
    all_time: z
      .object({
        ...counts(metricsOf("all_time")),
      })
      .describe("Not reduced by deletions."),
  })
  .meta({ id: "Stats" });
export type Stats = z.infer<typeof Stats>;

export const PostStats = z
  .object({
    total_count: countOf("stored"),
    status: z
      .object({
        approved: countOf("stored_approved"),
        rejected: countOf("stored_rejected"),
        unreviewed: countOf("unreviewed"),
      })
      .describe("Posts by review state."),
    by_queue_status: queueCounts,
    with_media: count.describe("Posts with media."),
    without_media: count.describe("Posts without media."),
    by_source: z.record(z.string(), count).meta({
      description: "The 20 hosts with the most posts; `other` is the sum of the rest.",
      example: { "mastodon.social": 12, other: 3 },
    }),
    posts_fetched_today: count.describe("The current UTC hour and the 23 before it."),
    posts_reviewed_today: count.describe("Decided in the last 24 hours."),
    posts_approved_today: count.describe("Approved in the last 24 hours."),
  })
  .meta({ id: "PostStats" });
export type PostStats = z.infer<typeof PostStats>;

export const StreamStatsLine = z
  .object({
    id: common.id,
    hashtag: common.hashtag,
    instance: common.instance,
    active: z.boolean().describe("Whether the stream is fetched."),
    post_count: countOf("stored"),
    approved_count: countOf("stored_approved"),
    rejected_count: countOf("stored_rejected"),
    unreviewed_count: countOf("unreviewed"),
    ...rates,
    last_fetch: common.last_fetch,
  })
  .meta({ id: "StreamStatsLine" });
export type StreamStatsLine = z.infer<typeof StreamStatsLine>;

const StreamRank = StreamStatsLine.pick({ id: true, hashtag: true, post_count: true }).nullable();

export const StreamStats = z
  .object({
    total_streams: count.describe("Streams, active or not."),
    active_streams: count.describe("Streams that are fetched."),
    inactive_streams: count.describe("Streams that are not fetched."),
    streams: z.array(StreamStatsLine).describe("Streams."),
    total_posts_all_streams: count.describe("Sum over all streams."),
    average_posts_per_stream: z.number().describe("Two decimals."),
    most_active_stream: StreamRank.describe(
      "Null without streams. With equal counts, the stream with the lowest id.",
    ),
    least_active_stream: StreamRank.describe("Stream with the fewest posts; null without streams."),
  })
  .meta({ id: "StreamStats" });
export type StreamStats = z.infer<typeof StreamStats>;

export const ErrorStats = z
  .object({
    groups: z
      .array(
        z.object({
          reason: common.reason,
          count: count.describe("Number of them."),
          first_at: isoTime.describe("First time."),
          last_at: isoTime.describe("Last time."),
          post_ids: z.array(z.int()).describe("The 50 newest."),
        }),
      )
      .describe("The 200 most frequent reasons."),
    duplicates: z
      .array(
        z.object({
          post_id: common.post_id,
          error_details: z.record(z.string(), z.unknown()).describe("Structured details that the bot sent."),
        }),
      )
      .describe("Posts reported as duplicates, the 100 newest."),
  })
  .meta({ id: "ErrorStats" });
export type ErrorStats = z.infer<typeof ErrorStats>;
