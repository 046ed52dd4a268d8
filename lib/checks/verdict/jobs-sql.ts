import { db } from "#lib/base/db.ts";
import { ABOVE_ALL } from "./sql.ts";

/** Work on many posts in batches, highest id first, that a killed process leaves where it was. */
export interface CheckJob {
  name: "rejudge" | "predict";
  key: string;
  /** Posts from this id on are done; null at the beginning. */
  done_from: number | null;
}

/**
 * Another key than the stored one begins the work again.
 *
 * @param key version of the work's input, such as a hash of the settings
 * @returns null if the work for `key` is finished
 */
export async function openJob(name: CheckJob["name"], key: string): Promise<CheckJob | null> {
  await db.$executeRaw`
    UPDATE check_job SET key = ${key}, done_from = NULL, finished = false, updated_at = now()
     WHERE name = ${name} AND key <> ${key}`;
  const row = await db.check_job.findUnique({ where: { name } });
  return row === null || row.finished || row.key !== key ? null : { name, key, done_from: row.done_from };
}

/**
 * @param doneFrom null when finished
 * @returns false when another process was faster or the work began again
 */
export async function advanceJob(
  { name, key, done_from }: CheckJob,
  doneFrom: number | null,
): Promise<boolean> {
  const n = await db.$executeRaw`
    UPDATE check_job SET done_from = ${doneFrom}::int, finished = ${doneFrom === null}, updated_at = now()
     WHERE name = ${name} AND key = ${key} AND NOT finished AND done_from IS NOT DISTINCT FROM ${done_from}::int`;
  return n === 1;
}

/** Unreviewed posts with results, highest id first. */
export async function unreviewedIdsBelow(doneFrom: number | null, limit: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT c.post_id AS id FROM post_check c JOIN post p ON p.id = c.post_id AND p.approved IS NULL
     WHERE c.post_id < ${doneFrom ?? ABOVE_ALL}::bigint
     ORDER BY c.post_id DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
}
