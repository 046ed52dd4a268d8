import { z } from "zod";
import type { db, Tx } from "#lib/base/db.ts";
import { remoteKey } from "#lib/checks/remote/sql.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { RawChecks } from "#lib/checks/results/raw-checks.ts";
import { judge } from "./judge.ts";

const RawRow = RawChecks.extend({ id: z.int() });
type RawRow = z.infer<typeof RawRow>;

/** Stored results of these posts, without remote results about an earlier text or picture. */
export async function rawRows(tx: Tx | typeof db, ids: readonly number[]): Promise<RawRow[]> {
  // Only posts with a remote result need their wide row read.
  const rows = await tx.$queryRaw`
    SELECT c.post_id AS id, c.rules, c.learner_score, c.learner_reasons, c.picture_state, c.pictures,
           CASE WHEN c.remote IS NOT NULL AND c.remote_key =
                     (SELECT ${remoteKey} FROM post p WHERE p.id = c.post_id)
                THEN c.remote END AS remote
      FROM post_check c WHERE c.post_id = ANY (${ids}::int[]) ORDER BY c.post_id`;
  return RawRow.array().parse(rows);
}

/**
 * Judges stored results and writes the verdicts. Call it after the posts are locked: it then also sees results that were
 * written while the lock was awaited.
 *
 * @param checked results of posts whose text was checked just now, by id
 */
export async function judgeStored(
  tx: Tx,
  ids: readonly number[],
  settings: CheckSettings,
  checked: ReadonlyMap<number, { text_fingerprint: string | null; classified_at: Date }> = new Map(),
): Promise<void> {
  const rows = await rawRows(tx, ids);
  const values = rows.map(({ id, ...raw }) => ({ id, ...checked.get(id), ...judge(raw, settings) }));
  await tx.$executeRaw`
    UPDATE post p
       SET ai_would_reject = v.would_reject, ai_score = v.score, ai_reasons = v.reasons, ai_checks = v.checks,
           text_reason = v.text_reason, vision_category = v.vision_category, vision_confidence = v.vision_confidence,
           text_fingerprint = CASE WHEN v.classified_at IS NOT NULL THEN v.text_fingerprint ELSE p.text_fingerprint END,
           classified_at = coalesce(v.classified_at, p.classified_at)
      FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS v (
             id int, would_reject boolean, score real, reasons jsonb, checks jsonb, text_reason text,
             vision_category text, vision_confidence real, classified_at timestamptz, text_fingerprint bigint)
     WHERE p.id = v.id`;
}
