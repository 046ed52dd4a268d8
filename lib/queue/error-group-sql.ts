import type { Tx } from "#lib/db.ts";

/** Makes marked deliveries pending, and takes them out of the figures of their hour and day. */
export async function unmarkRows(tx: Tx, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    WITH marked AS (
      UPDATE queue_entry q SET state = 'pending', delivered_at = NULL
        FROM (SELECT post_id, delivered_at, stream_id, author_key, approved_at FROM queue_entry
               WHERE post_id = ANY (${postIds}::int[]) AND state = 'delivered') old
       WHERE q.post_id = old.post_id
      RETURNING old.*
    )
    INSERT INTO figure_delta (at, event, stream_id, instance, wait, n)
    SELECT utc_hour(delivered_at), 'delivered', coalesce(stream_id, 0), substring(author_key FROM '[^@]*$'),
           wait_bucket(delivered_at - approved_at), -1
      FROM marked`;
}

/**
 * Oldest error first, with posts and entries locked. Skips locked ones: a deletion locks the post first.
 *
 * @param only null for all
 */
export async function lockErrorRows(
  tx: Tx,
  reason: string,
  limit: number,
  only: number[] | null,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_reason = ${reason}
       AND (${only}::int[] IS NULL OR q.post_id = ANY (${only}::int[]))
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

/** Locks an entry in state `error` after its post, as a deletion does. False: there is none. */
export async function lockFailedRow(tx: Tx, postId: number): Promise<boolean> {
  await tx.$executeRaw`SELECT FROM post WHERE id = ${postId} FOR KEY SHARE`;
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM queue_entry WHERE post_id = ${postId} AND state = 'error' FOR UPDATE`;
  return rows.length > 0;
}

/** Ids of failed posts with this reason, oldest error first. */
export async function errorPostRows(tx: Tx, reason: string, limit: number): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry WHERE state = 'error' AND error_reason = ${reason}
     ORDER BY errored_at, post_id LIMIT ${limit}`;
  return rows.map((row) => row.post_id);
}
