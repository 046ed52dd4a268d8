import { db } from "#lib/db.ts";

/* Reads figures by day. Of posts, it reads only the last hour of each reviewer, from an index. */

export interface PaceRow {
  reviewer_id: number;
  reviewer: string;
  last_hour: number;
  today: number;
  week: number;
  days: number;
}

/** Fetched posts that are rejected by a filter now, by UTC day of the fetch. */
export async function filteredRows(from: string, to: string): Promise<{ date: string; n: number }[]> {
  return db.$queryRaw<{ date: string; n: number }[]>`
    SELECT to_char(at, 'YYYY-MM-DD') AS date, n::float8 AS n FROM figure
     WHERE dimension = 'outcome' AND grain = 'day' AND metric = 'posts' AND key = 'auto_rejected' AND bucket = -1
       AND at BETWEEN ${from}::date AND ${to}::date`;
}

/** Keys with deliveries, errors, nacks or time-outs since a UTC day. */
export async function consumingKeys(since: string): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT DISTINCT key::int AS id FROM figure
     WHERE dimension = 'bot' AND grain = 'day' AND metric IN ('delivered', 'errors', 'nacks', 'timeouts') AND bucket = -1
       AND at >= ${since}::date AND n > 0`;
  return rows.map(({ id }) => id);
}

/**
 * The reviewers of the week that ends with `day`, most decisions of the day first.
 *
 * @param day UTC
 */
export async function paceRows(day: string, limit: number): Promise<PaceRow[]> {
  return db.$queryRaw<PaceRow[]>`
    SELECT r.*, h.last_hour, greatest(1, least(7, ${day}::date - (m.created_at AT TIME ZONE 'UTC')::date + 1)) AS days FROM (
      SELECT split_part(key, ':', 1)::int AS reviewer_id, substring(key FROM position(':' IN key) + 1) AS reviewer,
             coalesce(sum(n) FILTER (WHERE at = ${day}::date), 0)::float8 AS today, sum(n)::float8 AS week
        FROM figure
       WHERE dimension = 'reviewer' AND grain = 'day' AND metric IN ('approved', 'rejected') AND bucket = -1
         AND at BETWEEN ${day}::date - 6 AND ${day}::date
       GROUP BY 1, 2 HAVING sum(n) > 0 ORDER BY 3 DESC, 4 DESC, 2, 1 LIMIT ${limit}::int
    ) r LEFT JOIN member m ON m.id = r.reviewer_id, LATERAL (
      SELECT count(*)::int AS last_hour FROM post
       WHERE approved IS NOT NULL AND reviewed_by_member = r.reviewer_id AND reviewed_by = r.reviewer
         AND auto_reject_reason IS NULL AND reviewed_at > now() - interval '1 hour'
    ) h ORDER BY r.today DESC, r.week DESC, r.reviewer, r.reviewer_id`;
}
