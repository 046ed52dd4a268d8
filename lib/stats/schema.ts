import { z } from "zod";
import { definitionOf, type FigureName } from "#lib/figures-schema.ts";
import { countOf, isoTime, queryInteger } from "#lib/http/fields.ts";
import { metricsOf, type Metric } from "./metrics-schema.ts";

const count = z.int().min(0);
const counts = <M extends Metric>(names: readonly M[]) =>
  Object.fromEntries(names.map((name) => [name, countOf(name)])) as Record<M, typeof count>;
const percentOf = (name: FigureName) =>
  z
    .number()
    .meta({ description: `${definitionOf(name)} Percent, two decimals; 0 of nothing.`, example: 41.67 });
/** The specification calls the share `approval_rate`. */
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

export const Stats = z
  .object({
    total_posts: countOf("stored"),
    approved_posts: countOf("stored_approved"),
    rejected_posts: countOf("stored_rejected"),
    unreviewed_posts: countOf("unreviewed"),
    total_streams: count,
    active_streams: count,
    queue_status: QueueCounts,
    ...rates,
    last_fetch: isoTime.nullable(),
    created_at: isoTime.meta({ description: "Creation time of this installation's database." }),
    all_time: z
      .object({
        ...counts(metricsOf("all_time")),
      })
      .meta({ description: "Not reduced by deletions." }),
  })
  .meta({ id: "Stats" });
export type Stats = z.infer<typeof Stats>;

export const PostStats = z
  .object({
    total_count: countOf("stored"),
    status: z.object({
      approved: countOf("stored_approved"),
      rejected: countOf("stored_rejected"),
      unreviewed: countOf("unreviewed"),
    }),
    by_queue_status: QueueCounts,
    with_media: count,
    without_media: count,
    by_source: z.record(z.string(), count).meta({
      description: "The 20 hosts with the most posts; `other` is the sum of the rest.",
      example: { "mastodon.social": 12, other: 3 },
    }),
    posts_fetched_today: count.meta({ description: "The current UTC hour and the 23 before it." }),
    posts_reviewed_today: count,
    posts_approved_today: count,
  })
  .meta({ id: "PostStats" });
export type PostStats = z.infer<typeof PostStats>;

export const StreamStatsLine = z
  .object({
    id: z.int(),
    hashtag: z.string(),
    instance: z.string(),
    active: z.boolean(),
    post_count: countOf("stored"),
    approved_count: countOf("stored_approved"),
    rejected_count: countOf("stored_rejected"),
    unreviewed_count: countOf("unreviewed"),
    ...rates,
    last_fetch: isoTime.nullable(),
  })
  .meta({ id: "StreamStatsLine" });
export type StreamStatsLine = z.infer<typeof StreamStatsLine>;

const StreamRank = z.object({ id: z.int(), hashtag: z.string(), post_count: count }).nullable();

export const StreamStats = z
  .object({
    total_streams: count,
    active_streams: count,
    inactive_streams: count,
    streams: z.array(StreamStatsLine),
    total_posts_all_streams: count,
    average_posts_per_stream: z.number().meta({ description: "Two decimals." }),
    most_active_stream: StreamRank.meta({
      description: "Null without streams. With equal counts, the stream with the lowest id.",
    }),
    least_active_stream: StreamRank,
  })
  .meta({ id: "StreamStats" });
export type StreamStats = z.infer<typeof StreamStats>;

/** UTC days. */
export const TREND_DAYS = 14;

export const ErrorStats = z
  .object({
    groups: z
      .array(
        z.object({
          reason: z.string(),
          count,
          first_at: isoTime,
          last_at: isoTime,
          post_ids: z.array(z.int()).meta({ description: "The 50 newest." }),
          trend: z.array(count).meta({
            description:
              "Number of reports on each of the last 14 UTC days, today last, including posts that were requeued since.",
          }),
        }),
      )
      .meta({ description: "The 200 most frequent reasons." }),
    duplicates: z
      .array(z.object({ post_id: z.int(), error_details: z.record(z.string(), z.unknown()) }))
      .meta({ description: "Posts reported as duplicates, the 100 newest." }),
  })
  .meta({ id: "ErrorStats" });
export type ErrorStats = z.infer<typeof ErrorStats>;

export const DailyQuery = z.object({
  days: queryInteger(1, 365, "Number of days, including today.").optional().default(30),
});

export const DailyStats = z
  .object({
    days: z
      .array(
        z.object({
          date: z.string().meta({ example: "2026-05-04" }),
          ...counts(metricsOf("day")),
        }),
      )
      .meta({ description: "UTC days, oldest first." }),
  })
  .meta({ id: "DailyStats" });
export type DailyStats = z.infer<typeof DailyStats>;
