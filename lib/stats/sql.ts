import { db, Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { stream } from "#prisma/generated/client.ts";
import { metrics, metricsOf, type Metric, type MetricOf } from "./metrics-schema.ts";

/*
 * Reads figures (prisma/functions/figures.sql), never posts. Sums are float8, exact up to 2^53, because bigint would
 * arrive as BigInt.
 */

/** Columns named after the metrics, of rows with a `metric` and its `n`. */
export function sumsOf(names: readonly Metric[]): Prisma.Sql {
  return sums(names.map((name) => [metrics[name].events, name]));
}

/** Of some dimensions, which one counts. */
type SumOf = [events: readonly string[], name: string, dimension?: string];

function sums(columns: readonly SumOf[]): Prisma.Sql {
  const column = ([events, name, dimension]: SumOf) => {
    const where = dimension === undefined ? "" : `dimension = '${dimension}' AND `;
    return `coalesce(sum(n) FILTER (WHERE ${where}metric IN (${quoted(events)})), 0)::float8 AS ${name}`;
  };
  return Prisma.raw(columns.map(column).join(", "));
}

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(", ");

/** For `metric IN`: the events of some metrics. */
export function eventsOf(names: readonly Metric[]): Prisma.Sql {
  return Prisma.raw(quoted([...new Set(names.flatMap((name) => metrics[name].events))]));
}

/**
 * For installations without a worker (Vercel). Bounded, so that the first request after a large import stays fast.
 */
export async function compactFiguresWhenMany(): Promise<void> {
  await db.$executeRaw`
    SELECT CASE WHEN (SELECT count(*) FROM (SELECT FROM figure_delta LIMIT 501) d) > 500 THEN compact_figures(20000, ${env().TIME_ZONE}) END`;
}

/**
 * Waits for a concurrent compaction, whose uncommitted facts the caller would not see.
 *
 * @param limit most facts
 * @returns the number of compacted facts
 */
export async function compactRows(limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(7105)::text)
    SELECT compact_figures(${limit}::int, ${env().TIME_ZONE}) AS n FROM locked`;
  return rows[0]?.n ?? 0;
}

const levels = {
  posts: ["unreviewed", "approved", "rejected", "auto_rejected"],
  approved: ["approved"],
  rejected: ["rejected", "auto_rejected"],
  unreviewed: ["unreviewed"],
  with_media: ["with_media"],
  pending: ["pending"],
  reserved: ["reserved"],
  delivered: ["delivered"],
  error: ["error"],
} as const;

export type TotalsRow = Record<keyof typeof levels, number> &
  Record<`all_${MetricOf<"all_time">}`, number> & {
    streams: number;
    active_streams: number;
    last_fetch: Date | null;
    created_at: Date;
  };

/** From one snapshot. */
export async function totalsRow(): Promise<TotalsRow> {
  const rows = await db.$queryRaw<TotalsRow[]>`
    SELECT c.*, s.*, i.created_at
      FROM (SELECT ${sums([
        ...Object.entries(levels).map(([name, states]): SumOf => [states, name, "level"]),
        ...metricsOf("all_time").map((name): SumOf => [metrics[name].events, `all_${name}`, "all"]),
      ])}
              FROM figure_now('{level,all}', 'all')) c,
           (SELECT count(*)::int AS streams, count(*) FILTER (WHERE active)::int AS active_streams,
                   max(last_fetch) AS last_fetch FROM stream) s,
           installation i`;
  return rows[0] as TotalsRow;
}

export type TodayRow = Record<"fetched" | "reviewed" | "approved", number>;

/** The current UTC hour and the 23 before it. */
export async function todayRow(): Promise<TodayRow> {
  const rows = await db.$queryRaw<TodayRow[]>`
    SELECT ${sumsOf(["fetched", "reviewed", "approved"])}
      FROM figure_now('{all}', 'hour')
     WHERE metric IN (${eventsOf(["fetched", "reviewed"])})
       AND at > utc_hour(now()) - interval '24 hours'`;
  return rows[0] as TodayRow;
}

/** Hosts with facts are summed; of the others the largest come from the index. */
export async function sourceRows(limit: number): Promise<{ instance: string; posts: number }[]> {
  return db.$queryRaw<{ instance: string; posts: number }[]>`
    WITH stored AS NOT MATERIALIZED (
      SELECT key, n FROM figure
       WHERE dimension = 'host' AND grain = 'all' AND metric = 'posts' AND at = timestamp 'epoch'
    ), changed AS MATERIALIZED (
      SELECT key, n FROM figure_rows(ARRAY(SELECT f FROM figure_delta f), '{host}', '{all}', 'UTC')
    )
    SELECT key AS instance, n::float8 AS posts FROM (
      SELECT c.key, c.n + coalesce(s.n, 0) AS n FROM changed c LEFT JOIN stored s USING (key)
      UNION ALL
      (SELECT key, n FROM stored WHERE n > 0 AND NOT EXISTS (SELECT FROM changed c WHERE c.key = stored.key)
        ORDER BY n DESC, key LIMIT ${limit}::int)
    ) host
    WHERE n > 0 ORDER BY n DESC, key LIMIT ${limit}::int`;
}

export interface StreamPosts {
  stream_id: number;
  posts: number;
  approved: number;
  rejected: number;
  unreviewed: number;
  /** Approvals of all time. */
  all_approved: number;
  all_decided: number;
}

/** @param ids null for all streams */
export async function streamPostRows(ids: number[] | null): Promise<StreamPosts[]> {
  const keys = ids === null ? Prisma.empty : Prisma.sql`WHERE key = ANY (${ids.map(String)}::text[])`;
  return db.$queryRaw<StreamPosts[]>`
    SELECT key::int AS stream_id, ${sums([
      ...shown.map((name): SumOf => [levels[name], name, "stream_level"]),
      [["approved"], "all_approved", "stream"],
      [["approved", "rejected"], "all_decided", "stream"],
    ])}
      FROM figure_now('{stream_level,stream}', 'all') ${keys} GROUP BY 1`;
}

const shown = ["posts", "approved", "rejected", "unreviewed"] as const;

export type StreamCountRow = Omit<StreamPosts, "stream_id"> &
  Pick<stream, "id" | "hashtag" | "instance" | "active" | "last_fetch">;

export async function streamCountRows(): Promise<StreamCountRow[]> {
  const [streams, rows] = await Promise.all([
    db.stream.findMany({
      select: { id: true, hashtag: true, instance: true, active: true, last_fetch: true },
      orderBy: { id: "asc" },
    }),
    streamPostRows(null),
  ]);
  const counts = new Map(rows.map(({ stream_id, ...row }) => [stream_id, row]));
  return streams.map((stream) => ({ ...stream, ...(counts.get(stream.id) ?? noPosts) }));
}

const noPosts = { posts: 0, approved: 0, rejected: 0, unreviewed: 0, all_approved: 0, all_decided: 0 };

export interface ErrorGroupRow {
  reason: string;
  count: number;
  first_at: Date;
  last_at: Date;
  post_ids: number[];
}

/** With the newest posts of each. */
export async function errorGroupRows(groups: number, postsEach: number): Promise<ErrorGroupRow[]> {
  return db.$queryRaw<ErrorGroupRow[]>`
    SELECT error_reason AS reason, count(*)::int AS count, min(errored_at) AS first_at, max(errored_at) AS last_at,
           (array_agg(post_id ORDER BY errored_at DESC, post_id DESC))[:${postsEach}::int] AS post_ids
      FROM queue_entry WHERE state = 'error' GROUP BY error_reason
     ORDER BY 2 DESC, 1 LIMIT ${groups}::int`;
}

/** Newest first. */
export async function duplicateRows(
  limit: number,
): Promise<{ post_id: number; error_details: Record<string, unknown> }[]> {
  return db.$queryRaw<{ post_id: number; error_details: Record<string, unknown> }[]>`
    SELECT post_id, error_details FROM queue_entry
     WHERE state = 'error' AND error_details ->> 'error_type' = 'duplicate_attachment'
     ORDER BY errored_at DESC, post_id DESC LIMIT ${limit}::int`;
}

/** `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

export type DayMetrics<M extends Metric> = { date: string } & Record<M, number>;

/** Days in TIME_ZONE, oldest first. */
export async function dayRows<M extends Metric>(
  { from, to }: DayRange,
  names: readonly M[],
): Promise<DayMetrics<M>[]> {
  return db.$queryRaw<DayMetrics<M>[]>`
    SELECT to_char(d, 'YYYY-MM-DD') AS date, ${sumsOf(names)}
      FROM generate_series(0, ${to}::date - ${from}::date) back,
           LATERAL (SELECT ${from}::date + back AS d) each
      LEFT JOIN (SELECT at, metric, n FROM figure_now('{all}', 'day', ${env().TIME_ZONE})
                  WHERE metric IN (${eventsOf(names)})
                    AND at BETWEEN ${from}::date AND ${to}::date) c ON c.at = d
     GROUP BY d ORDER BY d`;
}

/** Deliveries that failed in the last 60 minutes; counts up to `limit`. */
export async function countRecentErrors(limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM post_event WHERE action = 'error' AND at > now() - interval '1 hour' LIMIT ${limit}::int) e`;
  return rows[0]?.n ?? 0;
}
