import { isoTimes, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { compactBeforeRead, totalsOf, type Totals } from "#lib/base/tally.ts";
import { metrics, metricsOf, percent, type Metric, type MetricOf } from "./metrics-schema.ts";
import { type ErrorStats, type PostStats, type Stats, type StreamStats } from "./schema.ts";
import { duplicateRows, errorGroupRows, readStreamTotals, sourceRows, todayRow, totalsRow } from "./sql.ts";
export { readStreamTotals } from "./sql.ts";

/** Limits of the lists in the answers. */
const SOURCES = 20;
const ERROR_GROUPS = 200;
const POSTS_OF_GROUP = 50;
const DUPLICATES = 100;

/** `GET /stats`. */
export async function getStats(): Promise<Stats> {
  await compactBeforeRead();
  const now = await totalsRow();
  const { stored, approved, rejected, unreviewed } = postsOf(now);
  const sumOf = (metric: Metric) => metrics[metric].events.reduce((sum, event) => sum + now.events[event], 0);
  return {
    total_posts: stored,
    approved_posts: approved,
    rejected_posts: rejected,
    unreviewed_posts: unreviewed,
    total_streams: now.streams,
    active_streams: now.active_streams,
    queue_status: queueOf(now),
    ...ratesOf(now),
    last_fetch: toIso(now.last_fetch),
    created_at: toIso(now.created_at),
    all_time: Object.fromEntries(metricsOf("all_time").map((metric) => [metric, sumOf(metric)])) as Record<
      MetricOf<"all_time">,
      number
    >,
  };
}

/** `GET /stats/posts`. */
export async function getPostStats(): Promise<PostStats> {
  await compactBeforeRead();
  const [now, today, sources] = await Promise.all([totalsRow(), todayRow(), sourceRows(SOURCES)]);
  const shown = sources.reduce((sum, source) => sum + source.posts, 0);
  const { stored, approved, rejected, unreviewed } = postsOf(now);
  return {
    total_count: stored,
    status: { approved, rejected, unreviewed },
    by_queue_status: queueOf(now),
    with_media: now.levels.with_media,
    without_media: stored - now.levels.with_media,
    // The queries use different snapshots, so the rest may come out negative.
    by_source: {
      ...Object.fromEntries(sources.map(({ instance, posts }) => [instance, posts])),
      other: Math.max(0, stored - shown),
    },
    posts_fetched_today: today.fetched,
    posts_reviewed_today: today.reviewed,
    posts_approved_today: today.approved,
  };
}

function postsOf({ levels: { approved, unreviewed, ...levels } }: Totals) {
  const rejected = levels.rejected + levels.auto_rejected;
  return { stored: approved + rejected + unreviewed, approved, rejected, unreviewed };
}

function ratesOf(totals: Totals) {
  const { stored, approved } = postsOf(totals);
  return {
    approval_rate: percent(approved, stored),
    approval_rate_of_decisions: rateOfDecisions(totals),
  };
}

/** Approved posts in percent of all decisions, of all time; 0 without decisions. */
export function rateOfDecisions({ events: { approved, rejected } }: Totals): number {
  return percent(approved, approved + rejected);
}

function queueOf({ levels: { pending, reserved, delivered, error } }: Totals) {
  return { pending, reserved, delivered, error };
}

/** The counts of a stream, as answers name them. */
export function countsOf(totals: Totals) {
  const { stored, approved, rejected, unreviewed } = postsOf(totals);
  return {
    post_count: stored,
    approved_count: approved,
    rejected_count: rejected,
    unreviewed_count: unreviewed,
  };
}

/** `GET /stats/streams`. A post counts for the stream of its first sighting, so the counts add up to the totals. */
export async function getStreamStats(): Promise<StreamStats> {
  await compactBeforeRead();
  const [rows, totals] = await Promise.all([
    db.stream.findMany({
      select: { id: true, hashtag: true, instance: true, active: true, last_fetch: true },
      orderBy: { id: "asc" },
    }),
    readStreamTotals(null),
  ]);
  const streams = rows.map(({ last_fetch, ...row }) => {
    const own = totals.get(row.id) ?? totalsOf();
    return { ...row, ...countsOf(own), ...ratesOf(own), last_fetch: toIso(last_fetch) };
  });
  const total = streams.reduce((sum, row) => sum + row.post_count, 0);
  const active = rows.filter((row) => row.active).length;
  // Streams with equal counts stay in order of id.
  const ranked = streams
    .map(({ id, hashtag, post_count }) => ({ id, hashtag, post_count }))
    .toSorted((a, b) => b.post_count - a.post_count);
  return {
    total_streams: rows.length,
    active_streams: active,
    inactive_streams: rows.length - active,
    streams,
    total_posts_all_streams: total,
    average_posts_per_stream: rows.length === 0 ? 0 : Math.round((total / rows.length) * 100) / 100,
    most_active_stream: ranked[0] ?? null,
    least_active_stream:
      ranked.findLast(({ post_count }, i) => post_count < (ranked[i - 1]?.post_count ?? Infinity)) ?? null,
  };
}

/** `GET /stats/errors`. */
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
