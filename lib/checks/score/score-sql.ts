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
