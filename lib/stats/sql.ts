import type { RowOf } from "#lib/base/clock.ts";
import { db, Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { totalColumns, totalSums, totalsOf, type Totals } from "#lib/base/tally.ts";
import { addDays, today } from "#lib/base/today.ts";
import { batched } from "#lib/base/batched.ts";
import { metrics, type Metric } from "./metrics-schema.ts";
import type { ErrorStats } from "./schema.ts";

/* Reads of the tally (prisma/functions/tally.sql) and of failed entries. None reads posts. */

/** Select list with a column for each metric: sums over rows with an event `metric` and its number `n`. */
export function sumsOf(names: readonly Metric[]): Prisma.Sql {
  const column = (name: Metric) =>
    `coalesce(sum(n) FILTER (WHERE metric IN (${quoted(metrics[name].events)})), 0)::float8 AS ${name}`;
  return Prisma.raw(names.map(column).join(", "));
}

const quoted = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(", ");

/** Days in TIME_ZONE as `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The last days, today included. */
export function lastDays(days: number): DayRange {
  const to = today();
  return { from: addDays(to, 1 - days), to };
}

/** SQL for FROM: rows `(key, metric, at, n)` of a kind of figures by day, with the events of some metrics. */
export function daysOf(kind: string, names: readonly Metric[], { from, to }: DayRange): Prisma.Sql {
  const events = Prisma.raw(quoted([...new Set(names.flatMap((name) => metrics[name].events))]));
  return Prisma.sql`(
    SELECT key, metric, at, n FROM tally_now(ARRAY[${kind}], ${env().TIME_ZONE})
     WHERE metric IN (${events}) AND at BETWEEN ${from}::date AND ${to}::date) day`;
}

interface TotalsRow extends Totals {
  streams: number;
  active_streams: number;
  last_fetch: Date | null;
  created_at: Date;
}

/** Totals of the installation, from one snapshot. Calls at the same time share it. */
export const totalsRow = batched<void, TotalsRow>(async (calls) => {
  const [row] = await db.$queryRaw<[TotalsRow]>`/* totals */
    SELECT c.*, s.*, i.created_at
      FROM (SELECT ${totalColumns} FROM ${totalSums(Prisma.sql`key = ''`)}) c,
           (SELECT count(*)::int AS streams, count(*) FILTER (WHERE active)::int AS active_streams,
                   max(last_fetch) AS last_fetch FROM stream) s,
           installation i`;
  const totals = { ...row, ...totalsOf(row) };
  return calls.map(() => totals);
});

export type TodayRow = Record<"fetched" | "reviewed" | "approved", number>;

/** Events of the current UTC hour and the 23 before it. */
export async function todayRow(): Promise<TodayRow> {
  const rows = await db.$queryRaw<TodayRow[]>`
    SELECT ${sumsOf(["fetched", "reviewed", "approved"])}
      FROM tally_now('{hour}') WHERE at > now() AT TIME ZONE 'UTC' - interval '24 hours'`;
  return rows[0] as TodayRow;
}

/** Hosts with the most stored posts: the largest ones of an index, and those with open deltas. */
export async function sourceRows(limit: number): Promise<{ instance: string; posts: number }[]> {
  return db.$queryRaw<{ instance: string; posts: number }[]>`
    WITH open AS MATERIALIZED (SELECT DISTINCT host FROM tally_delta WHERE media IS NOT NULL)
    SELECT key AS instance, sum(n)::float8 AS posts FROM tally_now('{host}')
     WHERE key = ANY (ARRAY(
       SELECT host FROM open UNION ALL
       (SELECT key FROM tally WHERE kind = 'host' AND metric = 'posts' AND at = '-infinity' AND n > 0
         ORDER BY n DESC, key LIMIT ${limit}::int + (SELECT count(*) FROM open))))
     GROUP BY 1 HAVING sum(n) > 0 ORDER BY 2 DESC, 1 LIMIT ${limit}::int`;
}

/**
 * Totals by stream, without streams that never had a post.
 *
 * @param ids null for all streams
 */
export async function readStreamTotals(ids: number[] | null): Promise<Map<number, Totals>> {
  const keys = ids === null ? Prisma.sql`key <> ''` : Prisma.sql`key = ANY (${ids.map(String)}::text[])`;
  const rows = await db.$queryRaw<(Totals & { stream_id: number })[]>`
    SELECT key::int AS stream_id, ${totalColumns} FROM ${totalSums(keys)} GROUP BY key`;
  return new Map(rows.map((row) => [row.stream_id, totalsOf(row)]));
}

/** Reasons of failed posts, the most frequent first, with their newest posts. */
export async function errorGroupRows(
  groups: number,
  postsEach: number,
): Promise<RowOf<ErrorStats["groups"][number]>[]> {
  return db.$queryRaw`
    SELECT error_reason AS reason, count(*)::int AS count, min(errored_at) AS first_at, max(errored_at) AS last_at,
           (array_agg(post_id ORDER BY errored_at DESC, post_id DESC))[:${postsEach}::int] AS post_ids
      FROM queue_entry WHERE state = 'error' GROUP BY error_reason
     ORDER BY 2 DESC, 1 LIMIT ${groups}::int`;
}

/** Posts that bots reported as duplicates, newest report first. */
export async function duplicateRows(limit: number): Promise<ErrorStats["duplicates"]> {
  return db.$queryRaw`
    SELECT post_id, error_details FROM queue_entry
     WHERE state = 'error' AND error_details ->> 'error_type' = 'duplicate_attachment'
     ORDER BY errored_at DESC, post_id DESC LIMIT ${limit}::int`;
}

export type DayMetrics<M extends Metric> = { date: string } & Record<M, number>;

/** Metrics of each day, oldest first, days without events included. */
export async function dayRows<M extends Metric>(
  range: DayRange,
  names: readonly M[],
): Promise<DayMetrics<M>[]> {
  return db.$queryRaw<DayMetrics<M>[]>`
    SELECT to_char(d, 'YYYY-MM-DD') AS date, ${sumsOf(names)}
      FROM generate_series(${range.from}::timestamp, ${range.to}::timestamp, interval '1 day') d
      LEFT JOIN ${daysOf("day", names, range)} ON at = d AND key = ''
     GROUP BY d ORDER BY d`;
}

/** Number of deliveries that failed in the last 60 minutes, up to `limit`. */
export async function countRecentErrors(limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM post_event WHERE action = 'error' AND at > now() - interval '1 hour' LIMIT ${limit}::int) e`;
  return rows[0]?.n ?? 0;
}
