import { db } from "#lib/db.ts";
import { allMetrics, type Metric } from "./metrics-schema.ts";
import { sumsOf } from "./sql.ts";

/* Reads figures by day. Of posts, it reads only the last hour of each reviewer, from an index. */

export interface PaceRow {
  reviewer_id: number;
  reviewer: string;
  last_hour: number;
  today: number;
  week: number;
}

/**
 * The reviewers of the week that ends with `day`, most decisions of the day first.
 *
 * @param day UTC
 */
export async function paceRows(day: string, limit: number): Promise<PaceRow[]> {
  return db.$queryRaw<PaceRow[]>`
    SELECT r.*, h.last_hour FROM (
      SELECT reviewer_id, reviewer, coalesce(sum(reviews) FILTER (WHERE day = ${day}::date), 0)::float8 AS today,
             sum(reviews)::float8 AS week
        FROM stat_reviewer WHERE day BETWEEN ${day}::date - 6 AND ${day}::date
       GROUP BY 1, 2 HAVING sum(reviews) > 0 ORDER BY 3 DESC, 4 DESC, 2, 1 LIMIT ${limit}::int
    ) r, LATERAL (
      SELECT count(*)::int AS last_hour FROM post
       WHERE approved IS NOT NULL AND reviewed_by_member = r.reviewer_id AND reviewed_by = r.reviewer
         AND auto_reject_reason IS NULL AND reviewed_at > now() - interval '1 hour'
    ) h ORDER BY r.today DESC, r.week DESC, r.reviewer, r.reviewer_id`;
}

export type DayMetrics = { date: string } & Record<Metric, number>;

/** Every metric of the week that ends with `day` (UTC), oldest day first. */
export async function weekRows(day: string): Promise<DayMetrics[]> {
  return db.$queryRaw<DayMetrics[]>`
    SELECT to_char(d, 'YYYY-MM-DD') AS date, ${sumsOf(allMetrics)}
      FROM generate_series(0, 6) back, LATERAL (SELECT ${day}::date - back AS d) today
      LEFT JOIN (SELECT * FROM counter_daily WHERE day BETWEEN ${day}::date - 6 AND ${day}::date) c ON c.day = d
     GROUP BY d ORDER BY d`;
}
