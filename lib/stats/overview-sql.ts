import { db, Prisma } from "#lib/base/db.ts";
import { metricsOf, type MetricOf } from "./metrics-schema.ts";
import { eventsOf, sumsOf, type DayRange } from "./sql.ts";

/* Reads compacted figures by day (prisma/functions/figures.sql); authors from the stored posts. */

const within = ({ from, to }: DayRange) =>
  Prisma.sql`grain = 'day' AND at BETWEEN ${from}::date AND ${to}::date`;

export type StreamRow = { stream_id: number } & Record<MetricOf<"stream">, number>;

export async function streamRows(range: DayRange): Promise<StreamRow[]> {
  const names = metricsOf("stream");
  return db.$queryRaw<StreamRow[]>`
    SELECT key::int AS stream_id, ${sumsOf(names)} FROM figure
     WHERE dimension = 'stream' AND metric IN (${eventsOf(names)}) AND ${within(range)} GROUP BY 1`;
}

export type ReviewerRow = { reviewer_id: number; reviewer: string } & Record<MetricOf<"reviewer">, number>;

export async function reviewerRows(range: DayRange, limit: number): Promise<ReviewerRow[]> {
  const names = metricsOf("reviewer");
  return db.$queryRaw<ReviewerRow[]>`
    SELECT split_part(key, ':', 1)::int AS reviewer_id, substring(key FROM position(':' IN key) + 1) AS reviewer,
           ${sumsOf(names)} FROM figure
     WHERE dimension = 'reviewer' AND metric IN (${eventsOf(names)}) AND ${within(range)}
     GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 1 LIMIT ${limit}::int`;
}

export type InstanceRow = { instance: string } & Record<MetricOf<"instance">, number>;

/**
 * The hosts with most posts. Candidates are the 200 largest of each day (any other has less than 0.5 % of the range); the 100
 * largest of them are counted exactly.
 */
export async function instanceRows(range: DayRange, limit: number): Promise<InstanceRow[]> {
  const names = metricsOf("instance");
  return db.$queryRaw<InstanceRow[]>`
    WITH candidate AS MATERIALIZED (
      SELECT x.key FROM generate_series(${range.from}::timestamp, ${range.to}::timestamp, '1 day') each (at),
             LATERAL (SELECT key, n FROM figure
                       WHERE dimension = 'host' AND grain = 'day' AND metric = 'fetched' AND at = each.at AND n > 0
                       ORDER BY n DESC, key LIMIT 200) x
       GROUP BY 1 ORDER BY sum(x.n) DESC, 1 LIMIT 100
    )
    SELECT key AS instance, ${sumsOf(names)} FROM figure
     WHERE dimension = 'host' AND key IN (SELECT key FROM candidate) AND metric IN (${eventsOf(names)}) AND ${within(range)}
     GROUP BY 1 ORDER BY sum(n) FILTER (WHERE metric = 'fetched') DESC, 1 LIMIT ${limit}::int`;
}

export interface AuthorRow {
  author_key: string;
  decided: number;
  approved: number;
}

/** Of stored posts. Index post_decided_idx. */
export async function authorRows(
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<AuthorRow[]> {
  return db.$queryRaw<AuthorRow[]>`
    SELECT author_key, count(*)::int AS decided, count(*) FILTER (WHERE approved)::int AS approved FROM post
     WHERE approved IS NOT NULL AND (approved OR auto_reject_reason IS NULL)
       AND reviewed_at BETWEEN ${since}::timestamptz AND ${until}::timestamptz
     GROUP BY 1 ORDER BY 3 DESC, 2 DESC, 1 LIMIT ${limit}::int`;
}

/** Rejections by reviewers, by id of their reason; 0: without one. */
export async function rejectReasonRows(range: DayRange): Promise<{ id: number; count: number }[]> {
  return db.$queryRaw`
    SELECT coalesce(nullif(key, '')::int, 0) AS id, sum(n)::float8 AS count FROM figure
     WHERE dimension = 'reason' AND metric = 'rejected' AND ${within(range)}
     GROUP BY 1 HAVING sum(n) > 0 ORDER BY 2 DESC, 1`;
}

export interface BotRow {
  api_key_id: number;
  name: string;
  last_asked_at: Date | null;
  delivered: number;
  errors: number;
}

/** Keys that may receive posts. */
export async function botRows(range: DayRange): Promise<BotRow[]> {
  return db.$queryRaw<BotRow[]>`
    SELECT k.id AS api_key_id, k.name, k.last_asked_at, coalesce(s.delivered, 0)::float8 AS delivered,
           coalesce(s.errors, 0)::float8 AS errors
      FROM api_key k
      LEFT JOIN (SELECT key::int AS api_key_id, ${sumsOf(["delivered", "errors"])} FROM figure
                  WHERE dimension = 'bot' AND metric IN ('delivered', 'errors') AND ${within(range)} GROUP BY 1) s
             ON s.api_key_id = k.id
     WHERE 'consume' = ANY (k.scopes) AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)
     ORDER BY 4 DESC, k.id LIMIT 50`;
}

/** Keys with deliveries, errors, nacks or time-outs since a day. */
export async function consumingKeys(since: string): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT key::int AS id FROM figure
     WHERE dimension = 'bot' AND grain = 'day' AND metric IN ('delivered', 'errors', 'nacks', 'timeouts')
       AND at >= ${since}::date AND n > 0`;
  return rows.map(({ id }) => id);
}
