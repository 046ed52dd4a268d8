import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";

/** The database's time, for `as_of`. Read it before the count. */
export async function countTime(): Promise<string> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  return toIso((rows[0] as { now: Date }).now);
}

/**
 * Those of these posts that were stored before a count and did not change since. A dialog has shown their number; nobody has
 * read the others.
 *
 * @param asOf time of the count; undefined for all posts
 */
export async function unchangedSince(tx: Tx, ids: number[], asOf: Date | undefined): Promise<number[]> {
  if (asOf === undefined || ids.length === 0) return ids;
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM post p
     WHERE id = ANY (${ids}::int[]) AND fetched_at <= ${asOf}::timestamptz
       AND NOT EXISTS (SELECT FROM post_event e WHERE e.post_id = p.id AND e.at > ${asOf}::timestamptz)`;
  const unchanged = new Set(rows.map((row) => row.id));
  return ids.filter((id) => unchanged.has(id));
}
