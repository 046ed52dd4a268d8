import { db } from "#lib/db.ts";

/*
 * The counters are kept by triggers (prisma/functions/counters.sql). All that is read here costs the same whatever the
 * number of posts: it grows with streams, hosts shown, hours and days only. Sums are asked for as float8, exact up to
 * 2^53, because bigint would arrive as BigInt.
 */

/**
 * Adds up counters when more than 2 000 changes lie about: where no worker runs (Vercel) nobody else would. Bounded,
 * so that the reader who comes first after a large import pays little.
 */
export async function compactCountersWhenMany(): Promise<void> {
  await db.$executeRaw`
    SELECT CASE WHEN (SELECT count(*) FROM (SELECT FROM counter_delta LIMIT 2001) d) > 2000
                THEN compact_counters(20000) END`;
}

/**
 * Adds up counters and statistics, at most this many changes of each. Answers how many were. Waits for whoever is adding
 * up statistics at this moment (the lock of compact_statistics): what is read next would lack what they have in hand.
 */
export async function compactRows(limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    WITH alone AS MATERIALIZED (SELECT pg_advisory_xact_lock(7105)::text)
    SELECT compact_counters(${limit}::int) + compact_statistics(${limit}::int) AS n FROM alone`;
  return rows[0]?.n ?? 0;
}

export interface TotalsRow {
  posts: number;
  approved: number;
  rejected: number;
  unreviewed: number;
  with_media: number;
  pending: number;
  reserved: number;
  delivered: number;
  error: number;
  all_fetched: number;
  all_approved: number;
  all_rejected: number;
  all_auto_rejected: number;
  all_delivered: number;
  all_errors: number;
  all_trimmed: number;
  streams: number;
  active_streams: number;
  last_fetch: Date | null;
  created_at: Date;
}

/** Everything `GET /stats` shows, of one moment. */
export async function totalsRow(): Promise<TotalsRow> {
  const rows = await db.$queryRaw<TotalsRow[]>`
    SELECT c.*, s.*, i.created_at
      FROM (SELECT coalesce(sum(posts), 0)::float8 AS posts, coalesce(sum(approved), 0)::float8 AS approved,
                   coalesce(sum(rejected), 0)::float8 AS rejected, coalesce(sum(unreviewed), 0)::float8 AS unreviewed,
                   coalesce(sum(with_media), 0)::float8 AS with_media, coalesce(sum(pending), 0)::float8 AS pending,
                   coalesce(sum(reserved), 0)::float8 AS reserved, coalesce(sum(delivered), 0)::float8 AS delivered,
                   coalesce(sum(error), 0)::float8 AS error, coalesce(sum(fetched), 0)::float8 AS all_fetched,
                   coalesce(sum(approvals), 0)::float8 AS all_approved,
                   coalesce(sum(rejections), 0)::float8 AS all_rejected,
                   coalesce(sum(auto_rejected), 0)::float8 AS all_auto_rejected,
                   coalesce(sum(deliveries), 0)::float8 AS all_delivered,
                   coalesce(sum(errors), 0)::float8 AS all_errors, coalesce(sum(trimmed), 0)::float8 AS all_trimmed
              FROM counter_now) c,
           (SELECT count(*)::int AS streams, count(*) FILTER (WHERE active)::int AS active_streams,
                   max(last_fetch) AS last_fetch FROM stream) s,
           installation i`;
  return rows[0] as TotalsRow;
}

export interface TodayRow {
  fetched: number;
  reviews: number;
  approvals: number;
}

/** Flows of the present UTC hour and the 23 before it. */
export async function todayRow(): Promise<TodayRow> {
  const rows = await db.$queryRaw<TodayRow[]>`
    SELECT coalesce(sum(fetched), 0)::float8 AS fetched, coalesce(sum(reviews), 0)::float8 AS reviews,
           coalesce(sum(approvals), 0)::float8 AS approvals
      FROM counter_hourly WHERE hour > date_trunc('hour', now(), 'UTC') - interval '24 hours'`;
  return rows[0] as TodayRow;
}

/**
 * The hosts with most posts, those not added up yet included: the hosts that changed are summed, of the others the
 * largest are read off the index.
 */
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
    ) each
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
}

/** Every stream with its counts, in order of id. */
export async function streamCountRows(): Promise<StreamCountRow[]> {
  return db.$queryRaw<StreamCountRow[]>`
    SELECT s.id, s.hashtag, s.instance, s.active, s.last_fetch,
           coalesce(c.posts, 0)::float8 AS posts, coalesce(c.approved, 0)::float8 AS approved,
           coalesce(c.rejected, 0)::float8 AS rejected, coalesce(c.unreviewed, 0)::float8 AS unreviewed
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

/** Posts in state `error` by reason, the most frequent first; of each group its newest posts. */
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

/**
 * How often each of these reasons was reported, a figure a UTC day, oldest first, today last. Read by primary key, so
 * it costs reasons times days whatever was reported. Statistics keep the first 200 characters of a reason.
 */
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

/** Posts reported as duplicates, newest first. */
export async function duplicateRows(
  limit: number,
): Promise<{ post_id: number; error_details: Record<string, unknown> }[]> {
  return db.$queryRaw<{ post_id: number; error_details: Record<string, unknown> }[]>`
    SELECT post_id, error_details FROM queue_entry
     WHERE state = 'error' AND error_details ->> 'error_type' = 'duplicate_attachment'
     ORDER BY errored_at DESC, post_id DESC LIMIT ${limit}::int`;
}

export interface DayRow {
  date: string;
  fetched: number;
  reviewed: number;
  approved: number;
  rejected: number;
  delivered: number;
  errors: number;
}

/** Flows a UTC day, today and the `days` − 1 before it, oldest first, days without anything included. */
export async function dayRows(days: number): Promise<DayRow[]> {
  return db.$queryRaw<DayRow[]>`
    WITH flow AS (
      SELECT day, sum(fetched)::float8 AS fetched, sum(reviews)::float8 AS reviewed, sum(approvals)::float8 AS approved,
             sum(rejections)::float8 AS rejected, sum(deliveries)::float8 AS delivered, sum(errors)::float8 AS errors
        FROM counter_daily WHERE day > (now() AT TIME ZONE 'UTC')::date - ${days}::int GROUP BY day
    )
    SELECT to_char(d, 'YYYY-MM-DD') AS date, coalesce(fetched, 0) AS fetched, coalesce(reviewed, 0) AS reviewed,
           coalesce(approved, 0) AS approved, coalesce(rejected, 0) AS rejected, coalesce(delivered, 0) AS delivered,
           coalesce(errors, 0) AS errors
      FROM generate_series(0, ${days}::int - 1) back,
           LATERAL (SELECT (now() AT TIME ZONE 'UTC')::date - back AS d) today
      LEFT JOIN flow ON flow.day = d
     ORDER BY d`;
}
