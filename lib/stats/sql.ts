import { db, Prisma } from "#lib/db.ts";
import { metrics, metricsOf, type Metric, type MetricOf } from "./metrics-schema.ts";
import type { DayRange } from "./overview-schema.ts";

/*
 * Reads the counters that triggers maintain (prisma/functions/counters.sql), never posts. Sums are float8, exact up
 * to 2^53, because bigint would arrive as BigInt.
 */

/** Each sum is a column named after its metric. */
export function sumsOf(names: readonly Metric[], prefix = ""): Prisma.Sql {
  return sums(names.map((name) => [metrics[name].column, prefix + name]));
}

function sums(columns: [column: string, name: string][]): Prisma.Sql {
  return Prisma.raw(
    columns.map(([column, name]) => `coalesce(sum(${column}), 0)::float8 AS ${name}`).join(", "),
  );
}

/**
 * For installations without a worker (Vercel). Bounded, so that the first request after a large import stays fast.
 */
export async function compactCountersWhenMany(): Promise<void> {
  await db.$executeRaw`
    SELECT CASE WHEN (SELECT count(*) FROM (SELECT FROM counter_delta LIMIT 2001) d) > 2000
                THEN compact_counters(20000) END`;
}

/**
 * Waits for a concurrent compaction, whose uncommitted deltas the caller would not see.
 *
 * @param limit most deltas of each table
 * @returns the number of compacted deltas
 */
export async function compactRows(limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(7105)::text)
    SELECT compact_counters(${limit}::int) + compact_statistics(${limit}::int) AS n FROM locked`;
  return rows[0]?.n ?? 0;
}

const levels = [
  "posts",
  "approved",
  "rejected",
  "unreviewed",
  "with_media",
  "pending",
  "reserved",
  "delivered",
  "error",
] as const;

export type TotalsRow = Record<(typeof levels)[number], number> &
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
      FROM (SELECT ${sums(levels.map((name) => [name, name]))}, ${sumsOf(metricsOf("all_time"), "all_")}
              FROM counter_now) c,
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
      FROM counter_hourly WHERE hour > date_trunc('hour', now(), 'UTC') - interval '24 hours'`;
  return rows[0] as TodayRow;
}

/** Hosts with deltas are summed; of the others the largest come from the index. */
export async function sourceRows(limit: number): Promise<{ instance: string; posts: number }[]> {
  return db.$queryRaw<{ instance: string; posts: number }[]>`
    WITH changed AS (
      SELECT instance, sum(posts) AS posts FROM counter_delta WHERE instance IS NOT NULL GROUP BY instance
    )
    SELECT instance, posts::float8 AS posts FROM (
      SELECT c.instance, c.posts + coalesce(i.posts, 0) AS posts
        FROM changed c LEFT JOIN counter_instance i ON i.instance = c.instance
      UNION ALL
      (SELECT i.instance, i.posts FROM counter_instance i
        WHERE i.posts > 0 AND NOT EXISTS (SELECT FROM changed c WHERE c.instance = i.instance)
        ORDER BY i.posts DESC, i.instance LIMIT ${limit}::int)
    ) host
    WHERE posts > 0 ORDER BY posts DESC, instance LIMIT ${limit}::int`;
}

export interface StreamCountRow {
  id: number;
  hashtag: string;
  instance: string;
  active: boolean;
  last_fetch: Date | null;
  posts: number;
  approved: number;
  rejected: number;
  unreviewed: number;
  /** Approvals of all time. */
  all_approved: number;
  all_decided: number;
}

export async function streamCountRows(): Promise<StreamCountRow[]> {
  return db.$queryRaw<StreamCountRow[]>`
    SELECT s.id, s.hashtag, s.instance, s.active, s.last_fetch,
           coalesce(c.posts, 0)::float8 AS posts, coalesce(c.approved, 0)::float8 AS approved,
           coalesce(c.rejected, 0)::float8 AS rejected, coalesce(c.unreviewed, 0)::float8 AS unreviewed,
           coalesce(c.approvals, 0)::float8 AS all_approved,
           coalesce(c.reviews - c.auto_rejected, 0)::float8 AS all_decided
      FROM stream s LEFT JOIN counter_now c ON c.stream_id = s.id
     ORDER BY s.id`;
}

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
    SELECT g.*, p.post_ids FROM (
      SELECT error_reason AS reason, count(*)::int AS count, min(errored_at) AS first_at, max(errored_at) AS last_at
        FROM queue_entry WHERE state = 'error' GROUP BY error_reason
       ORDER BY count(*) DESC, error_reason LIMIT ${groups}::int
    ) g, LATERAL (
      SELECT array_agg(post_id) AS post_ids FROM (
        SELECT post_id FROM queue_entry WHERE state = 'error' AND error_reason = g.reason
         ORDER BY errored_at DESC LIMIT ${postsEach}::int) newest
    ) p
    ORDER BY g.count DESC, g.reason`;
}

/** By UTC day, oldest first. Reasons are cut to 200 characters. */
export async function errorTrendRows(
  reasons: string[],
  days: number,
): Promise<{ reason: string; trend: number[] }[]> {
  return db.$queryRaw<{ reason: string; trend: number[] }[]>`
    SELECT r.reason, array_agg(coalesce(s.n, 0) ORDER BY back DESC) AS trend
      FROM unnest(${reasons}::text[]) r (reason)
     CROSS JOIN generate_series(0, ${days}::int - 1) back
      LEFT JOIN stat_reason s ON s.kind = 'error' AND s.day = (now() AT TIME ZONE 'UTC')::date - back
                             AND s.reason = left(r.reason, 200)
     GROUP BY r.reason`;
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

export type DayRow = { date: string } & Record<MetricOf<"day">, number>;

/** UTC days, oldest first. */
export async function dayRows({ from, to }: DayRange): Promise<DayRow[]> {
  return db.$queryRaw<DayRow[]>`
    SELECT to_char(d, 'YYYY-MM-DD') AS date, ${sumsOf(metricsOf("day"))}
      FROM generate_series(0, ${to}::date - ${from}::date) n,
           LATERAL (SELECT ${from}::date + n AS d) each
      LEFT JOIN (SELECT * FROM counter_daily WHERE day BETWEEN ${from}::date AND ${to}::date) c ON c.day = d
     GROUP BY d ORDER BY d`;
}
