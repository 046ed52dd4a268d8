import { db, Prisma } from "#lib/db.ts";

/** Newest decisions that agreement is computed from. */
export const AGREEMENT_DECISIONS = 200;

export interface AgreementRow {
  name: string;
  n: number;
  share: number;
}

/** Whether each check's own result agreed with the decision. Checks without a result do not count. */
export function agreementStatement(): Prisma.Sql {
  return Prisma.sql`
    SELECT c.name, count(*)::int AS n, avg((c.would_reject = e.rejected)::int)::float8 AS share
      FROM (SELECT rejected, checks FROM check_example
             ORDER BY reviewed_at DESC, id DESC LIMIT ${AGREEMENT_DECISIONS}) e,
           LATERAL jsonb_to_recordset(e.checks) AS c (name text, would_reject boolean)
     WHERE c.would_reject IS NOT NULL
     GROUP BY c.name`;
}

export function agreementRows(): Promise<AgreementRow[]> {
  return db.$queryRaw<AgreementRow[]>(agreementStatement());
}

export interface ScoreRow {
  ai_would_reject: boolean | null;
  ai_score: number | null;
  vision_category: string | null;
  ai_checks: unknown;
  /** Time of the next attempt at the pictures. */
  picture_due_at: Date | null;
}

export async function scoreRow(postId: number): Promise<ScoreRow | null> {
  const rows = await db.$queryRaw<ScoreRow[]>`
    SELECT p.ai_would_reject, p.ai_score, p.vision_category, p.ai_checks, c.picture_due_at
      FROM post p LEFT JOIN post_check c ON c.post_id = p.id WHERE p.id = ${postId}`;
  return rows[0] ?? null;
}
