import { db } from "#lib/db.ts";

export interface OwnRow {
  reviewed: number;
  approved: number;
  week_reviewed: number;
}

/** Decisions of one member on a day and in the week that ends with it. Serves from the table's primary key. */
export async function ownRow(memberId: number, day: string): Promise<OwnRow> {
  const rows = await db.$queryRaw<OwnRow[]>`
    SELECT coalesce(sum(reviews) FILTER (WHERE day = ${day}::date), 0)::float8 AS reviewed,
           coalesce(sum(approvals) FILTER (WHERE day = ${day}::date), 0)::float8 AS approved,
           coalesce(sum(reviews), 0)::float8 AS week_reviewed
      FROM stat_reviewer WHERE reviewer_id = ${memberId}::int AND day BETWEEN ${day}::date - 6 AND ${day}::date`;
  return rows[0] ?? { reviewed: 0, approved: 0, week_reviewed: 0 };
}
