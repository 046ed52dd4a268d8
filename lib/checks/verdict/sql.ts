import { z } from "zod";
import { Prisma, type db, type Tx } from "#lib/base/db.ts";
import { remoteKey } from "#lib/checks/remote/sql.ts";
import { RawChecks } from "#lib/checks/results/raw-checks.ts";
import type { Verdict } from "./judge.ts";

const RawRow = RawChecks.extend({ id: z.int() });
type RawRow = z.infer<typeof RawRow>;

/**
 * In order of id. Posts whose text was not checked have no verdict yet, erased ones have none any more, and reviewed ones keep
 * that of their decision.
 */
export async function lockCheckedIds(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE id = ANY (${ids}::int[]) AND classified_at IS NOT NULL AND erased_at IS NULL AND approved IS NULL
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.map((row) => row.id);
}

// Most posts have no remote result; their wide row is not read.
const selectRaw = Prisma.sql`
  SELECT c.post_id AS id, c.rules, c.learner_score, c.learner_reasons, c.picture_state, c.pictures,
         CASE WHEN c.remote IS NOT NULL AND c.remote_key =
                   (SELECT ${remoteKey} FROM post p WHERE p.id = c.post_id)
              THEN c.remote END AS remote
    FROM post_check c`;

/**
 * Call after locking, in a statement of its own: results may have been written while the lock was awaited. Remote results
 * about an earlier text or picture are left out.
 */
export async function rawRows(tx: Tx | typeof db, ids: readonly number[]): Promise<RawRow[]> {
  return RawRow.array().parse(
    await tx.$queryRaw`${selectRaw} WHERE c.post_id = ANY (${ids}::int[]) ORDER BY c.post_id`,
  );
}

/** With a fingerprint and a time when the text was checked, too. */
export async function writeVerdictRows(
  tx: Tx,
  rows: readonly { id: number; verdict: Verdict; text_fingerprint?: string | null; classified_at?: Date }[],
): Promise<void> {
  const values = JSON.stringify(rows.map(({ verdict, ...row }) => ({ ...row, ...verdict })));
  await tx.$executeRaw`
    UPDATE post p
       SET ai_would_reject = v.would_reject, ai_score = v.score, ai_reasons = v.reasons, ai_checks = v.checks,
           text_reason = v.text_reason, vision_category = v.vision_category, vision_confidence = v.vision_confidence,
           text_fingerprint = CASE WHEN v.classified_at IS NOT NULL THEN v.text_fingerprint ELSE p.text_fingerprint END,
           classified_at = coalesce(v.classified_at, p.classified_at)
      FROM jsonb_to_recordset(${values}::jsonb) AS v (
             id int, would_reject boolean, score real, reasons jsonb, checks jsonb, text_reason text,
             vision_category text, vision_confidence real, classified_at timestamptz, text_fingerprint bigint)
     WHERE p.id = v.id`;
}
