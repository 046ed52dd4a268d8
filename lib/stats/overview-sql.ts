import { db, Prisma } from "#lib/db.ts";
import { allMetrics, metricsOf, type Metric, type MetricOf } from "./metrics-schema.ts";
import type { DayRange } from "./overview-schema.ts";
import { sumsOf } from "./sql.ts";
import { weeksWithin } from "./weeks-within.ts";

/* Reads figures by day (prisma/functions/statistics.sql), never posts. */

export type FlowRow = {
  stream_id: number;
  /** False: the range before. */
  current: boolean;
} & Record<Metric, number>;

/** Sums of the range, and of the one that starts at `before`. */
export async function flowRows(range: DayRange, before: string): Promise<FlowRow[]> {
  return db.$queryRaw<FlowRow[]>`
    SELECT stream_id, day >= ${range.from}::date AS current, ${sumsOf(allMetrics)}
      FROM counter_daily WHERE day BETWEEN ${before}::date AND ${range.to}::date
     GROUP BY 1, 2`;
}

export type WaitKind = "review" | "delivery";

export interface WaitRow {
  key: string;
  bucket: number;
  n: number;
}

/** Whole weeks are read from weekly rows, the rest from daily ones. */
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

export type ReviewerRow = { reviewer_id: number; reviewer: string } & Record<MetricOf<"reviewer">, number>;

export async function reviewerRows(range: DayRange, limit: number): Promise<ReviewerRow[]> {
  return db.$queryRaw<ReviewerRow[]>`
    SELECT reviewer_id, reviewer, ${sumsOf(metricsOf("reviewer"))}
      FROM stat_reviewer WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1, 2 HAVING sum(reviews) > 0 ORDER BY sum(reviews) DESC, 2, 1 LIMIT ${limit}::int`;
}

export type InstanceRow = { instance: string } & Record<MetricOf<"instance">, number>;

/**
 * Candidates are the 200 largest hosts of each day (any other has less than 0.5 % of the range); the 100 largest
 * are counted exactly.
 */
export async function instanceRows(range: DayRange, limit: number): Promise<InstanceRow[]> {
  return db.$queryRaw<InstanceRow[]>`
    WITH candidate AS (
      SELECT x.instance
        FROM generate_series(0, ${range.to}::date - ${range.from}::date) n,
             LATERAL (SELECT instance, fetched FROM stat_instance WHERE day = ${range.from}::date + n AND fetched > 0
                       ORDER BY fetched DESC, instance LIMIT 200) x
       GROUP BY 1 ORDER BY sum(x.fetched) DESC, 1 LIMIT 100
    )
    SELECT i.instance, ${sumsOf(metricsOf("instance"))}
      FROM stat_instance i JOIN candidate USING (instance)
     WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1 ORDER BY sum(fetched) DESC, 1 LIMIT ${limit}::int`;
}

/** Selected as in `instanceRows`, by approved posts. */
export async function authorRows(
  range: DayRange,
  limit: number,
): Promise<{ author_key: string; approvals: number }[]> {
  return db.$queryRaw<{ author_key: string; approvals: number }[]>`
    WITH candidate AS (
      SELECT x.author_key
        FROM generate_series(0, ${range.to}::date - ${range.from}::date) n,
             LATERAL (SELECT author_key, approvals FROM stat_author WHERE day = ${range.from}::date + n AND approvals > 0
                       ORDER BY approvals DESC, author_key LIMIT 200) x
       GROUP BY 1 ORDER BY sum(x.approvals) DESC, 1 LIMIT 100
    )
    SELECT a.author_key, sum(approvals)::float8 AS approvals
      FROM stat_author a JOIN candidate USING (author_key)
     WHERE day BETWEEN ${range.from}::date AND ${range.to}::date
     GROUP BY 1 HAVING sum(approvals) > 0 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

export interface ReasonRow {
  kind: "dropped" | "auto_rejected" | "error";
  reason: string;
  count: number;
}

/** The `limit` most frequent reasons of each kind. */
export async function reasonRows(range: DayRange, limit: number): Promise<ReasonRow[]> {
  return db.$queryRaw<ReasonRow[]>`
    SELECT kind, reason, count::float8 AS count FROM (
      SELECT kind, reason, sum(n) AS count, row_number() OVER (PARTITION BY kind ORDER BY sum(n) DESC, reason) AS rank
        FROM stat_reason
       WHERE kind IN ('dropped', 'auto_rejected', 'error') AND day BETWEEN ${range.from}::date AND ${range.to}::date
       GROUP BY kind, reason HAVING sum(n) > 0
    ) ranked WHERE rank <= ${limit}::int ORDER BY kind, rank`;
}
