import { z } from "zod";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import type { Verdict } from "#lib/checks/results/opinion.ts";
import { RawChecks } from "#lib/checks/results/raw-checks.ts";

const RawRow = RawChecks.extend({
  id: z.int(),
  verdict_hash: z.bigint().nullable(),
});
export type RawRow = z.infer<typeof RawRow>;

/**
 * In order of id. Only posts whose text was checked: the others have no verdict yet. Erased posts have none any more.
 */
export async function lockCheckedIds(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post WHERE id = ANY (${ids}::int[]) AND classified_at IS NOT NULL AND erased_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.map((row) => row.id);
}

// Most posts have no remote result; their wide row is not read.
const selectRaw = Prisma.sql`
  SELECT c.post_id AS id, c.rules, c.learner_version, c.learner_score, c.learner_reasons, c.picture_state, c.pictures,
         CASE WHEN c.remote IS NOT NULL AND c.remote_key =
                   (SELECT remote_key(p.plain_text, p.spoiler_text, p.media) FROM post p WHERE p.id = c.post_id)
              THEN c.remote END AS remote, c.verdict_hash
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

/** A condition that may be left out would not use the index in a generic plan. */
export const ABOVE_ALL = MAX_ID + 1;

/**
 * Highest id first.
 *
 * @param below null to start at the highest id
 */
export async function rawRowsBelow(below: number | null, limit: number): Promise<RawRow[]> {
  return RawRow.array().parse(
    await db.$queryRaw`
      ${selectRaw} WHERE c.post_id < ${below ?? ABOVE_ALL}::bigint ORDER BY c.post_id DESC LIMIT ${limit}`,
  );
}

export interface VerdictRow {
  id: number;
  verdict: Verdict;
  hash: bigint;
}

/** A fingerprint is given when the text was checked, too. */
export async function writeVerdictRows(
  tx: Tx,
  rows: readonly (VerdictRow & { fingerprint?: bigint | null })[],
): Promise<void> {
  const values = JSON.stringify(
    rows.map(({ id, verdict, fingerprint }) => ({
      id,
      ...verdict,
      text_checked: fingerprint !== undefined,
      // A JSON number would be rounded.
      fingerprint: fingerprint?.toString() ?? null,
    })),
  );
  await tx.$executeRaw`
    UPDATE post p
       SET ai_would_reject = v.would_reject, ai_score = v.score, ai_reasons = v.reasons, ai_checks = v.checks,
           text_reason = v.text_reason, vision_category = v.vision_category, vision_confidence = v.vision_confidence,
           text_fingerprint = CASE WHEN v.text_checked THEN v.fingerprint ELSE p.text_fingerprint END,
           classified_at = CASE WHEN v.text_checked THEN now() ELSE p.classified_at END
      FROM jsonb_to_recordset(${values}::jsonb) AS v (
             id int, would_reject boolean, score real, reasons jsonb, checks jsonb, text_reason text,
             vision_category text, vision_confidence real, text_checked boolean, fingerprint bigint)
     WHERE p.id = v.id`;
}

export async function writeVerdictHashes(tx: Tx, rows: readonly VerdictRow[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE post_check c SET verdict_hash = v.hash
      FROM unnest(${rows.map((row) => row.id)}::int[], ${rows.map((row) => row.hash)}::bigint[]) AS v (id, hash)
     WHERE c.post_id = v.id`;
}
