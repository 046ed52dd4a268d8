import type { Tx } from "#lib/base/db.ts";

/**
 * Oldest error first, with posts and entries locked. Skips locked ones: a deletion locks the post first.
 */
export async function lockErrorRows(tx: Tx, reason: string, limit: number): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_reason = ${reason}
     ORDER BY q.errored_at, q.post_id LIMIT ${limit} FOR KEY SHARE OF p SKIP LOCKED FOR UPDATE OF q SKIP LOCKED`;
  return rows.map((row) => row.post_id);
}

/** Moves entries, locked by the caller, back to `pending` at their old positions. */
export async function requeueRows(tx: Tx, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE queue_entry
       SET state = 'pending', error_reason = NULL, error_details = NULL, errored_at = NULL, refusals = 0, not_before = NULL,
           lease_key_id = NULL, lease_label = NULL, reserved_at = NULL
     WHERE post_id = ANY (${postIds}::int[]) AND state = 'error'`;
}

/** Ids of failed posts with this reason, oldest error first. */
export async function errorPostRows(tx: Tx, reason: string, limit: number): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry WHERE state = 'error' AND error_reason = ${reason}
     ORDER BY errored_at, post_id LIMIT ${limit}`;
  return rows.map((row) => row.post_id);
}
