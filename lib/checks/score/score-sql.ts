import { db } from "#lib/base/db.ts";

/** Time of the next attempt at the pictures. */
export async function pictureDueAt(postId: number): Promise<Date | null> {
  const row = await db.post_check.findUnique({
    where: { post_id: postId },
    select: { picture_due_at: true },
  });
  return row?.picture_due_at ?? null;
}

export interface WarnedRow {
  /** Null: all decided posts. */
  name: string | null;
  warned: number;
  rejected: number;
}

/** Stored posts that each check warned of before their decision: `warned_by` of the lists. */
export function warnedRows(): Promise<WarnedRow[]> {
  return db.$queryRaw<WarnedRow[]>`
    SELECT name, count(*)::int AS warned, (count(*) FILTER (WHERE NOT p.approved))::int AS rejected
      FROM (SELECT post_id, warned FROM learnt ORDER BY reviewed_at DESC LIMIT 20000) x JOIN post p ON p.id = x.post_id, unnest(x.warned || NULL::text) AS name
     WHERE p.approved IS NOT NULL
     GROUP BY name`;
}
