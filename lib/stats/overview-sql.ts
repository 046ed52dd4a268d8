import { db, Prisma } from "#lib/db.ts";
import { allMetrics, metricsOf, type Metric, type MetricOf } from "./metrics-schema.ts";
import type { DayRange } from "./overview-schema.ts";
import { eventsOf, figuresWithin, sumsOf } from "./sql.ts";
import { weeksWithin } from "./weeks-within.ts";

/* Reads compacted figures by day and week (prisma/functions/figures.sql), never posts. */

/** Sums of all streams. */
export async function totalsOf(range: DayRange): Promise<Record<Metric, number>> {
  const rows = await db.$queryRaw<Record<Metric, number>[]>`
    SELECT ${sumsOf(allMetrics)} FROM figure
     WHERE dimension = 'all' AND grain = 'day' AND key = '' AND bucket = -1 AND metric IN (${eventsOf(allMetrics)})
       AND at BETWEEN ${range.from}::date AND ${range.to}::date`;
  return rows[0] as Record<Metric, number>;
}

export type StreamRow = { stream_id: number } & Record<MetricOf<"stream">, number>;

export async function streamRows(range: DayRange): Promise<StreamRow[]> {
  const names = metricsOf("stream");
  return db.$queryRaw<StreamRow[]>`
    SELECT key::int AS stream_id, ${sumsOf(names)}
      FROM ${figuresWithin(range, Prisma.sql`dimension = 'stream' AND bucket = -1 AND metric IN (${eventsOf(names)})`)} each
     GROUP BY 1`;
}

export type WaitKind = "review_wait" | "delivery_wait";

export interface WaitRow {
  key: string;
  bucket: number;
  n: number;
}

export async function waitRows(
  kind: WaitKind,
  dimension: "all" | "stream" | "host" | "reviewer",
  keys: string[],
  range: DayRange,
): Promise<WaitRow[]> {
  const where = Prisma.sql`dimension = ${dimension} AND metric = ${kind} AND key = ANY (${keys}::text[])`;
  return db.$queryRaw<WaitRow[]>`
    SELECT key, bucket::int AS bucket, sum(n)::float8 AS n FROM ${figuresWithin(range, where)} each
     GROUP BY 1, 2 HAVING sum(n) > 0`;
}

export type ReviewerRow = { reviewer_id: number; reviewer: string } & Record<MetricOf<"reviewer">, number>;

export async function reviewerRows(range: DayRange, limit: number): Promise<ReviewerRow[]> {
  const where = Prisma.sql`dimension = 'reviewer' AND bucket = -1 AND metric IN (${eventsOf(["reviewed"])})`;
  return db.$queryRaw<ReviewerRow[]>`
    SELECT split_part(key, ':', 1)::int AS reviewer_id, substring(key FROM position(':' IN key) + 1) AS reviewer,
           ${sumsOf(metricsOf("reviewer"))}
      FROM ${figuresWithin(range, where)} each
     GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 1 LIMIT ${limit}::int`;
}

/**
 * The keys with most of an event. Candidates are the 200 largest of each day or week (any other has less than 0.5 % of the
 * range); the 100 largest of them are to be counted exactly.
 */
async function largestKeys(range: DayRange, dimension: "host" | "author", event: string): Promise<string[]> {
  const parts = weeksWithin(range).map(
    ({ grain, from, to }) => Prisma.sql`
      SELECT x.key, x.n
        FROM generate_series(${from}::timestamp, ${to}::timestamp, ${grain === "day" ? "1 day" : "7 days"}::interval) each (at),
             LATERAL (SELECT key, n FROM figure
                       WHERE dimension = ${dimension} AND grain = ${grain} AND metric = ${event} AND bucket = -1
                         AND at = each.at AND n > 0
                       ORDER BY n DESC, key LIMIT 200) x`,
  );
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT key FROM (${Prisma.join(parts, " UNION ALL ")}) candidate GROUP BY 1 ORDER BY sum(n) DESC, 1 LIMIT 100`;
  return rows.map(({ key }) => key);
}

export type InstanceRow = { instance: string } & Record<MetricOf<"instance">, number>;

export async function instanceRows(range: DayRange, limit: number): Promise<InstanceRow[]> {
  const keys = await largestKeys(range, "host", "fetched");
  const names = metricsOf("instance");
  const where = Prisma.sql`dimension = 'host' AND bucket = -1 AND key = ANY (${keys}::text[]) AND metric IN (${eventsOf(names)})`;
  return db.$queryRaw<InstanceRow[]>`
    SELECT key AS instance, ${sumsOf(names)} FROM ${figuresWithin(range, where)} each
     GROUP BY 1 ORDER BY sum(n) FILTER (WHERE metric = 'fetched') DESC, 1 LIMIT ${limit}::int`;
}

export async function authorRows(
  range: DayRange,
  limit: number,
): Promise<{ author_key: string; approvals: number }[]> {
  const keys = await largestKeys(range, "author", "approved");
  const where = Prisma.sql`dimension = 'author' AND bucket = -1 AND key = ANY (${keys}::text[]) AND metric = 'approved'`;
  return db.$queryRaw<{ author_key: string; approvals: number }[]>`
    SELECT key AS author_key, sum(n)::float8 AS approvals FROM ${figuresWithin(range, where)} each
     GROUP BY 1 HAVING sum(n) > 0 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

export interface ReasonRow {
  kind: "dropped" | "auto_rejected" | "errors";
  reason: string;
  count: number;
}

/** Rejections by reviewers, by id of their reason; 0: without one. */
export async function rejectReasonRows(range: DayRange): Promise<{ id: number; count: number }[]> {
  const where = Prisma.sql`dimension = 'reason' AND bucket = -1 AND metric = 'rejected'`;
  return db.$queryRaw`
    SELECT coalesce(nullif(key, '')::int, 0) AS id, sum(n)::float8 AS count
      FROM ${figuresWithin(range, where)} each GROUP BY 1 HAVING sum(n) > 0 ORDER BY 2 DESC, 1`;
}

/** The `limit` most frequent reasons of each kind. */
export async function reasonRows(range: DayRange, limit: number): Promise<ReasonRow[]> {
  const where = Prisma.sql`dimension = 'reason' AND bucket = -1 AND metric IN ('dropped', 'auto_rejected', 'errors')`;
  return db.$queryRaw<ReasonRow[]>`
    SELECT metric AS kind, key AS reason, count::float8 AS count FROM (
      SELECT metric, key, sum(n) AS count, row_number() OVER (PARTITION BY metric ORDER BY sum(n) DESC, key) AS rank
        FROM ${figuresWithin(range, where)} each GROUP BY 1, 2 HAVING sum(n) > 0
    ) ranked WHERE rank <= ${limit}::int ORDER BY metric, rank`;
}
