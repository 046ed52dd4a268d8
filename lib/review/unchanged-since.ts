import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";

/** Time of a count, for `as_of`. Taken before the count. */
export async function countTime(): Promise<string> {
  const rows = await db.$queryRaw<{ now: Date }[]>`SELECT date_trunc('milliseconds', now()) AS now`;
  return toIso((rows[0] as { now: Date }).now);
}

/**
 * The posts that neither came nor changed after a count: a dialog showed their number, and the rest was not read.
 *
 * @param asOf undefined for all
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
