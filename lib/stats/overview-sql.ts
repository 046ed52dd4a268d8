import { db, Prisma, type Tx } from "#lib/db.ts";
import type { DayRange } from "./overview-schema.ts";
import { weeksWithin } from "./weeks-within.ts";

/*
 * Everything is read from figures by day (prisma/functions/statistics.sql), so no query here touches a post. What is
 * read grows with days, streams, reviewers and hosts shown. Measured with 10^6 posts over 92 days: see README.
 */

export interface FlowRow {
  stream_id: number;
  /** In the range, or in the one before it. */
  current: boolean;
  fetched: number;
  reviewed: number;
  approved: number;
  rejected: number;
  auto_rejected: number;
  delivered: number;
  errors: number;
  nacks: number;
  timeouts: number;
  trimmed: number;
}

/** Flows by stream, for the range and for the equally long one that begins at `before`. */
export async function flowRows(range: DayRange, before: string): Promise<FlowRow[]> {
  return db.$queryRaw<FlowRow[]>`
    SELECT stream_id, day >= ${range.from}::date AS current, sum(fetched)::float8 AS fetched,
           sum(reviews)::float8 AS reviewed, sum(approvals)::float8 AS approved, sum(rejections)::float8 AS rejected,
           sum(auto_rejected)::float8 AS auto_rejected, sum(deliveries)::float8 AS delivered,
           sum(errors)::float8 AS errors, sum(nacks)::float8 AS nacks, sum(timeouts)::float8 AS timeouts,
           sum(trimmed)::float8 AS trimmed
      FROM counter_daily WHERE day BETWEEN ${before}::date AND ${range.to}::date
     GROUP BY 1, 2`;
}

export type WaitKind = "review" | "delivery";

export interface WaitRow {
  key: string;
  bucket: number;
  n: number;
}

/** Waits by bucket, for some keys of a dimension. Whole weeks are read from their own rows, the ends by day. */
export async function waitRows(
  kind: WaitKind,
  dimension: "all" | "stream" | "instance" | "reviewer",
  keys: string[],
  range: DayRange,
): Promise<WaitRow[]> {
  const parts = weeksWithin(range).map(
    ({ days, from, to }) => Prisma.sql`
      SELECT key, bucket, n FROM stat_wait
       WHERE kind = ${kind} AND dimension = ${dimension} AND days = ${days}::smallint AND key = ANY (${keys}::text[])
         AND day BETWEEN ${from}::date AND ${to}::date`,
  );
  return db.$queryRaw<WaitRow[]>`
    SELECT key, bucket, sum(n)::float8 AS n FROM (${Prisma.join(parts, " UNION ALL ")}) part
     GROUP BY 1, 2 HAVING sum(n) > 0`;
}

export interface ReviewerRow {
  reviewer_id: number;
  reviewer: string;
  reviews: number;
  approvals: number;
}

/** Who decided most. */
export async function reviewerRows(range: DayRange, limit: number): Promise<ReviewerRow[]> {
  return db.$queryRaw<ReviewerRow[]>`
    SELECT reviewer_id, reviewer, sum(reviews)::float8 AS reviews, sum(approvals)::float8 AS approvals
      FROM stat_reviewer WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1, 2 HAVING sum(reviews) > 0 ORDER BY 3 DESC, 2, 1 LIMIT ${limit}::int`;
}

export interface InstanceRow {
  instance: string;
  fetched: number;
  reviews: number;
  approvals: number;
  deliveries: number;
}

/**
 * The hosts that brought most. Chosen among each day's 200 largest: a host that is among them on no day has less than
 * 0.5 % of the range. Counted exactly for the 100 likeliest.
 */
export async function instanceRows(range: DayRange, limit: number): Promise<InstanceRow[]> {
  return db.$queryRaw<InstanceRow[]>`
    WITH likely AS (
      SELECT x.instance
        FROM generate_series(0, ${range.to}::date - ${range.from}::date) n,
             LATERAL (SELECT instance, fetched FROM stat_instance WHERE day = ${range.from}::date + n AND fetched > 0
                       ORDER BY fetched DESC, instance LIMIT 200) x
       GROUP BY 1 ORDER BY sum(x.fetched) DESC, 1 LIMIT 100
    )
    SELECT i.instance, sum(fetched)::float8 AS fetched, sum(reviews)::float8 AS reviews,
           sum(approvals)::float8 AS approvals, sum(deliveries)::float8 AS deliveries
      FROM stat_instance i JOIN likely USING (instance)
     WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

/** The authors with most approved posts, chosen and counted in the same way. */
export async function authorRows(
  range: DayRange,
  limit: number,
): Promise<{ author_key: string; approvals: number }[]> {
  return db.$queryRaw<{ author_key: string; approvals: number }[]>`
    WITH likely AS (
      SELECT x.author_key
        FROM generate_series(0, ${range.to}::date - ${range.from}::date) n,
             LATERAL (SELECT author_key, approvals FROM stat_author WHERE day = ${range.from}::date + n AND approvals > 0
                       ORDER BY approvals DESC, author_key LIMIT 200) x
       GROUP BY 1 ORDER BY sum(x.approvals) DESC, 1 LIMIT 100
    )
    SELECT a.author_key, sum(approvals)::float8 AS approvals
      FROM stat_author a JOIN likely USING (author_key)
     WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1 HAVING sum(approvals) > 0 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

export interface ReasonRow {
  kind: "dropped" | "auto_rejected" | "error";
  reason: string;
  count: number;
}

/** Why posts fell out, the most frequent reasons of each kind. */
export async function reasonRows(range: DayRange, limit: number): Promise<ReasonRow[]> {
  return db.$queryRaw<ReasonRow[]>`
    SELECT kind, reason, count::float8 AS count FROM (
      SELECT kind, reason, sum(n) AS count, row_number() OVER (PARTITION BY kind ORDER BY sum(n) DESC, reason) AS place
        FROM stat_reason
       WHERE kind IN ('dropped', 'auto_rejected', 'error') AND day BETWEEN ${range.from}::date AND ${range.to}::date
       GROUP BY kind, reason HAVING sum(n) > 0
    ) ranked WHERE place <= ${limit}::int ORDER BY kind, place`;
}

/** Pending posts, and deliveries of the present UTC hour and the 71 before it. */
export async function runwayRow(): Promise<{ pending: number; deliveries: number }> {
  const rows = await db.$queryRaw<{ pending: number; deliveries: number }[]>`
    SELECT (SELECT coalesce(sum(pending), 0)::float8 FROM counter_now) AS pending,
           (SELECT coalesce(sum(deliveries), 0)::float8 FROM counter_hourly
             WHERE hour > date_trunc('hour', now(), 'UTC') - interval '72 hours') AS deliveries`;
  return rows[0] as { pending: number; deliveries: number };
}

/** Removes authors' names from the figures. */
export async function forgetAuthorRows(tx: Tx, authorKeys: string[]): Promise<void> {
  await tx.$executeRaw`
    WITH noted AS (DELETE FROM stat_author WHERE author_key = ANY (${authorKeys}::text[]))
    UPDATE stat_delta SET author_key = NULL WHERE author_key = ANY (${authorKeys}::text[])`;
}
