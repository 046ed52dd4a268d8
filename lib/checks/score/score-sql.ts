import { db } from "#lib/db.ts";

export interface ScoreRow {
  ai_would_reject: boolean | null;
  ai_score: number | null;
  vision_category: string | null;
  /** Time of the next attempt at the pictures. */
  picture_due_at: Date | null;
}

export async function scoreRow(postId: number): Promise<ScoreRow | null> {
  const rows = await db.$queryRaw<ScoreRow[]>`
    SELECT p.ai_would_reject, p.ai_score, p.vision_category, c.picture_due_at
      FROM post p LEFT JOIN post_check c ON c.post_id = p.id WHERE p.id = ${postId}`;
  return rows[0] ?? null;
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
      FROM check_example x JOIN post p ON p.id = x.post_id, unnest(x.warned || NULL::text) AS name
     WHERE p.approved IS NOT NULL
     GROUP BY name`;
}
