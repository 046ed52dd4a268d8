import { isoTimes, toIso } from "#lib/base/clock.ts";
import { shortenTally } from "#lib/base/tally.ts";
import { metricsOf, percent, type MetricOf } from "./metrics-schema.ts";
import { type ErrorStats, type PostStats, type Stats, type StreamStats } from "./schema.ts";
import {
  duplicateRows,
  errorGroupRows,
  sourceRows,
  streamCountRows,
  todayRow,
  totalsRow,
  type TotalsRow,
} from "./sql.ts";
export { countStreamPosts, type StreamPosts } from "./sql.ts";

/** Lines of an answer. */
const SOURCES = 20;
const ERROR_GROUPS = 200;
const POSTS_OF_GROUP = 50;
const DUPLICATES = 100;

export async function getStats(): Promise<Stats> {
  await shortenTally();
  const now = await totalsRow();
  return {
    total_posts: now.posts,
    approved_posts: now.approved,
    rejected_posts: now.rejected,
    unreviewed_posts: now.unreviewed,
    total_streams: now.streams,
    active_streams: now.active_streams,
    queue_status: queueOf(now),
    approval_rate: percent(now.approved, now.posts),
    approval_rate_of_decisions: percent(
      now.all_approved,
      now.all_approved + now.all_rejected - now.all_auto_rejected,
    ),
    last_fetch: toIso(now.last_fetch),
    created_at: toIso(now.created_at),
    all_time: Object.fromEntries(
      metricsOf("all_time").map((metric) => [metric, now[`all_${metric}`]]),
    ) as Record<MetricOf<"all_time">, number>,
  };
}

export async function getPostStats(): Promise<PostStats> {
  await shortenTally();
  const [now, today, sources] = await Promise.all([totalsRow(), todayRow(), sourceRows(SOURCES)]);
  const shown = sources.reduce((sum, source) => sum + source.posts, 0);
  return {
    total_count: now.posts,
    status: { approved: now.approved, rejected: now.rejected, unreviewed: now.unreviewed },
    by_queue_status: queueOf(now),
    with_media: now.with_media,
    without_media: now.posts - now.with_media,
    // The queries use different snapshots, so the rest may come out negative.
    by_source: {
      ...Object.fromEntries(sources.map(({ instance, posts }) => [instance, posts])),
      other: Math.max(0, now.posts - shown),
    },
    posts_fetched_today: today.fetched,
    posts_reviewed_today: today.reviewed,
    posts_approved_today: today.approved,
  };
}

const queueOf = ({ pending, reserved, delivered, error }: TotalsRow) => ({
  pending,
  reserved,
  delivered,
  error,
});

/** A post counts for the stream of its first sighting, so the sums are the totals. */
export async function getStreamStats(): Promise<StreamStats> {
  await shortenTally();
  const rows = await streamCountRows();
  const total = rows.reduce((sum, row) => sum + row.posts, 0);
  const active = rows.filter((row) => row.active).length;
  // Equal ones by id.
  const ranked = rows
    .map(({ id, hashtag, posts }) => ({ id, hashtag, post_count: posts }))
    .toSorted((a, b) => b.post_count - a.post_count);
  return {
    total_streams: rows.length,
    active_streams: active,
    inactive_streams: rows.length - active,
    streams: rows.map((row) => ({
      id: row.id,
      hashtag: row.hashtag,
      instance: row.instance,
      active: row.active,
      post_count: row.posts,
      approved_count: row.approved,
      rejected_count: row.rejected,
      unreviewed_count: row.unreviewed,
      approval_rate: percent(row.approved, row.posts),
      approval_rate_of_decisions: percent(row.all_approved, row.all_decided),
      last_fetch: toIso(row.last_fetch),
    })),
    total_posts_all_streams: total,
    average_posts_per_stream: rows.length === 0 ? 0 : Math.round((total / rows.length) * 100) / 100,
    most_active_stream: ranked[0] ?? null,
    least_active_stream:
      ranked.findLast(({ post_count }, i) => post_count < (ranked[i - 1]?.post_count ?? Infinity)) ?? null,
  };
}

export async function getErrorStats(): Promise<ErrorStats> {
  const [groups, duplicates] = await Promise.all([
    errorGroupRows(ERROR_GROUPS, POSTS_OF_GROUP),
    duplicateRows(DUPLICATES),
  ]);
  return {
    groups: groups.map(isoTimes),
    duplicates,
  };
}
