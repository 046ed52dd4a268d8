import type { RowOf } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { metricsOf } from "./metrics-schema.ts";
import type { BotFigures, Overview } from "./overview-schema.ts";
import { daysOf, sumsOf, type DayRange } from "./sql.ts";

/* Figures of a range of days. Those of authors are counted from the stored posts. */

type Line<Table extends "streams" | "instances" | "authors" | "reviewers"> = Omit<
  Overview[Table][number],
  "approval_rate"
>;

/** The streams with the most fetched posts. */
export function streamRows(range: DayRange, limit: number): Promise<Line<"streams">[]> {
  const names = metricsOf("stream");
  return db.$queryRaw`
    SELECT s.id, s.hashtag, s.instance, ${sumsOf(names)}
      FROM stream s LEFT JOIN ${daysOf("day", names, range)} ON key = s.id::text
     GROUP BY s.id ORDER BY fetched DESC, s.id LIMIT ${limit}::int`;
}

/** The reviewers with the most decisions. */
export function reviewerRows(range: DayRange, limit: number): Promise<Line<"reviewers">[]> {
  const names = metricsOf("reviewer");
  return db.$queryRaw`
    SELECT nullif(split_part(key, ':', 1)::int, 0) AS member_id, substring(key FROM position(':' IN key) + 1) AS reviewer,
           ${sumsOf(names)} FROM ${daysOf("reviewer_day", names, range)}
     GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY sum(n) DESC, 2, 1 LIMIT ${limit}::int`;
}

/**
 * The hosts with the most fetched posts. Candidates are the 200 largest of each day, because any other has less than 0.5 % of
 * each day. The 100 largest of these, and the hosts with open deltas, are counted exactly.
 */
export function instanceRows(range: DayRange, limit: number): Promise<Line<"instances">[]> {
  const names = metricsOf("instance");
  return db.$queryRaw`
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

/** The authors with the most approved posts, among stored posts. Index post_decided_idx. */
export function authorRows(
  { since, until }: { since: Date; until: Date },
  limit: number,
): Promise<Line<"authors">[]> {
  return db.$queryRaw`
    SELECT '@' || author_key AS author, count(*)::int AS decided, count(*) FILTER (WHERE approved)::int AS approved FROM post
     WHERE approved IS NOT NULL AND (approved OR auto_reject_reason IS NULL)
       AND reviewed_at BETWEEN ${since}::timestamptz AND ${until}::timestamptz
     GROUP BY author_key ORDER BY 3 DESC, 2 DESC, author_key LIMIT ${limit}::int`;
}

/** Rejections by reviewers, by reason; `id` is null for those without one. */
export function rejectReasonRows(range: DayRange): Promise<Overview["reject_reasons"]> {
  return db.$queryRaw`
    SELECT r.id, r.label, sum(n)::float8 AS count
      FROM ${daysOf("reason_day", ["rejected"], range)} LEFT JOIN reject_reason r ON key = r.id::text
     GROUP BY r.id HAVING sum(n) > 0 ORDER BY 3 DESC, r.id NULLS FIRST`;
}

/** Keys that may receive posts, the one with the most deliveries first. */
export async function botRows(range: DayRange): Promise<RowOf<BotFigures>[]> {
  const names = ["delivered", "errors"] as const;
  return db.$queryRaw`
    SELECT k.id AS api_key_id, k.name, k.last_asked_at, ${sumsOf(names)}
      FROM api_key k LEFT JOIN ${daysOf("bot_day", names, range)} ON key = k.id::text
     WHERE 'consume' = ANY (k.scopes) AND k.revoked_at IS NULL AND coalesce(k.expires_at > now(), true)
     GROUP BY k.id ORDER BY 4 DESC, k.id LIMIT 50`;
}

/** Ids of keys with deliveries, errors, nacks or time-outs. */
export async function consumingKeys(range: DayRange): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT key::int AS id FROM tally_now('{bot_day}', ${env().TIME_ZONE}) WHERE at >= ${range.from}::date`;
  return rows.map(({ id }) => id);
}
