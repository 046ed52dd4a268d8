import { db, type Tx } from "#lib/base/db.ts";
import { retryLockConflict } from "#lib/base/transaction.ts";
import type { StoredText } from "#lib/checks/results/post-text.ts";
import type { RawChecks } from "#lib/checks/results/raw-checks.ts";
import type { Copy } from "#lib/checks/rules/repeats.ts";

/**
 * Posts with the same texts within 24 hours, at most the newest 200 of each text. More would change no verdict and would slow
 * down classification in a wave of spam.
 */
export async function copyRows(
  of: readonly { fingerprint: bigint; created_at: Date }[],
): Promise<(Copy & { id: number; fingerprint: bigint })[]> {
  if (of.length === 0) return [];
  const times = of.map(({ created_at }) => created_at.getTime());
  return db.$queryRaw<(Copy & { id: number; fingerprint: bigint })[]>`
    SELECT f.fingerprint, c.*
      FROM unnest(${[...new Set(of.map(({ fingerprint }) => fingerprint))]}::bigint[]) AS f (fingerprint),
           LATERAL (SELECT id, uri, author_key, created_at FROM post
                     WHERE text_fingerprint = f.fingerprint
                       AND created_at BETWEEN ${new Date(Math.min(...times))}::timestamptz - interval '24 hours'
                                          AND ${new Date(Math.max(...times))}::timestamptz + interval '24 hours'
                     ORDER BY created_at DESC LIMIT 200) c`;
}

/** Makes unreviewed posts without a warning due. */
export async function scoreCopiesAgain(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await retryLockConflict(
    () => db.$executeRaw`
      UPDATE post SET classified_at = NULL
       WHERE id = ANY (${[...ids]}::int[]) AND approved IS NULL AND ai_would_reject = false`,
  );
}

/** Locks the posts in order of id. Leaves out posts that were edited or erased meanwhile. */
export async function lockSameText(
  tx: Tx,
  rows: readonly Pick<StoredText, "id" | "version">[],
): Promise<Set<number>> {
  const locked = await tx.$queryRaw<{ id: number }[]>`
    SELECT p.id FROM post p
      JOIN unnest(${rows.map((row) => row.id)}::int[], ${rows.map((row) => row.version)}::int[]) AS v (id, version)
        ON v.id = p.id
     WHERE p.version = v.version AND p.erased_at IS NULL
     ORDER BY p.id FOR NO KEY UPDATE OF p`;
  return new Set(locked.map((row) => row.id));
}

/**
 * Stores the results of the text stage in `post_check`. Pictures that were not checked become due.
 *
 * @param again includes pictures that could not be read
 */
export async function writeTextChecks(
  tx: Tx,
  rows: readonly (Pick<RawChecks, "rules" | "learner_score" | "learner_reasons"> & { id: number })[],
  again: boolean,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO post_check AS c (post_id, rules, learner_score, learner_reasons)
    SELECT id, rules, learner_score, learner_reasons
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v (
             id int, rules jsonb, learner_score real, learner_reasons jsonb)
     ORDER BY id
    ON CONFLICT (post_id) DO UPDATE
      SET rules = excluded.rules, learner_score = excluded.learner_score, learner_reasons = excluded.learner_reasons,
          updated_at = now()`;
  await tx.$executeRaw`
    UPDATE post_check c
       SET picture_state = CASE WHEN has_media THEN 'waiting' ELSE 'none' END, picture_attempts = 0,
           picture_due_at = CASE WHEN has_media THEN now() END, pictures = CASE WHEN has_media THEN pictures ELSE '[]' END
      FROM (SELECT id, jsonb_array_length(media) > 0 AS has_media FROM post
             WHERE id = ANY (${rows.map(({ id }) => id)}::int[])) p
     WHERE c.post_id = p.id
       AND CASE WHEN NOT has_media THEN picture_state <> 'none'
                ELSE picture_state = 'none'
                     OR ${again} AND (picture_state <> 'done' OR pictures @> '[{"state": "failed"}]') END`;
}

/** Decided posts that each check had warned of, as in the filter `warned_by`. The row without a name counts all decided posts. */
export function warnedRows(): Promise<{ name: string | null; warned: number; rejected: number }[]> {
  return db.$queryRaw`
    SELECT name, count(*)::int AS warned, (count(*) FILTER (WHERE NOT p.approved))::int AS rejected
      FROM (SELECT post_id, warned FROM learnt ORDER BY reviewed_at DESC LIMIT 20000) x JOIN post p ON p.id = x.post_id, unnest(x.warned || NULL::text) AS name
     WHERE p.approved IS NOT NULL
     GROUP BY name`;
}
