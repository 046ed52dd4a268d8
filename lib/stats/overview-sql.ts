import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { metricsOf, type MetricOf } from "./metrics-schema.ts";
import { daysOf, sumsOf, type DayRange } from "./sql.ts";

/* Figures of a range of days; authors from the stored posts. */

export type StreamRow = { stream_id: number } & Record<MetricOf<"stream">, number>;

export async function streamRows(range: DayRange): Promise<StreamRow[]> {
  const names = metricsOf("stream");
  return db.$queryRaw<StreamRow[]>`
    SELECT key::int AS stream_id, ${sumsOf(names)} FROM ${daysOf("day", names, range)} WHERE key <> '' GROUP BY 1`;
}

export type ReviewerRow = { reviewer_id: number; reviewer: string } & Record<MetricOf<"reviewer">, number>;

export async function reviewerRows(range: DayRange, limit: number): Promise<ReviewerRow[]> {
  const names = metricsOf("reviewer");
  return db.$queryRaw<ReviewerRow[]>`
    SELECT split_part(key, ':', 1)::int AS reviewer_id, substring(key FROM position(':' IN key) + 1) AS reviewer,
           ${sumsOf(names)} FROM ${daysOf("reviewer_day", names, range)}
     GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 1 LIMIT ${limit}::int`;
}

export type InstanceRow = { instance: string } & Record<MetricOf<"instance">, number>;

/**
 * The hosts with most posts. Candidates are the 200 largest of each day (any other has less than 0.5 % of the range); the 100
 * largest of them, and those with open deltas, are counted exactly.
 */
export async function instanceRows(range: DayRange, limit: number): Promise<InstanceRow[]> {
  const names = metricsOf("instance");
  return db.$queryRaw<InstanceRow[]>`
    SELECT key AS instance, ${sumsOf(names)} FROM ${daysOf("host_day", names, range)}
     WHERE key = ANY (ARRAY(
       SELECT host FROM tally_delta WHERE host IS NOT NULL UNION
       (SELECT x.key FROM generate_series(${range.from}::timestamp, ${range.to}::timestamp, '1 day') each (at),
               LATERAL (SELECT key, n FROM tally
                         WHERE kind = 'host_day' AND metric = 'fetched' AND at = each.at AND n > 0
                         ORDER BY n DESC, key LIMIT 200) x
         GROUP BY 1 ORDER BY sum(x.n) DESC, 1 LIMIT 100)))
     GROUP BY 1 ORDER BY coalesce(sum(n) FILTER (WHERE metric = 'fetched'), 0) DESC, 1 LIMIT ${limit}::int`;
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
    SELECT coalesce(nullif(key, '')::int, 0) AS id, sum(n)::float8 AS count
      FROM ${daysOf("reason_day", ["rejected"], range)}
     GROUP BY 1 HAVING sum(n) > 0 ORDER BY 2 DESC, 1`;
}

export interface BotRow {
  api_key_id: number;
  name: string;
  last_asked_at: Date | null;
  delivered: number;
  errors: number;
}

/** One key, or all that may receive posts. */
export async function botRows(range: DayRange, id: number | null = null): Promise<BotRow[]> {
  const names = ["delivered", "errors"] as const;
  return db.$queryRaw<BotRow[]>`
    SELECT k.id AS api_key_id, k.name, k.last_asked_at, ${sumsOf(names)}
      FROM api_key k LEFT JOIN ${daysOf("bot_day", names, range)} ON key = k.id::text
     WHERE k.id = ${id}::int OR ${id}::int IS NULL AND 'consume' = ANY (k.scopes) AND k.revoked_at IS NULL
           AND coalesce(k.expires_at > now(), true)
     GROUP BY k.id ORDER BY 4 DESC, k.id LIMIT 50`;
}

/** Keys with deliveries, errors, returned or timed-out posts. */
export async function consumingKeys(range: DayRange): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT key::int AS id FROM tally_now('{bot_day}', ${env().TIME_ZONE}) WHERE at >= ${range.from}::date`;
  return rows.map(({ id }) => id);
}
