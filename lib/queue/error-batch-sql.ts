import type { Tx } from "#lib/db.ts";

/** How failed posts were dealt with: as a group with one reason, or by reviewers, who undo it in their own way. */
export type ErrorBatchKind = "requeue" | "dismiss" | "review";

export interface ErrorBatchRow {
  id: string;
  kind: ErrorBatchKind;
  reason: string;
  reviewed_at: Date | null;
  undone_at: Date | null;
  post_ids: number[];
}

/** Notes a batch and what its entries are now: in state `error`, locked by the caller, about to be changed. */
export async function insertErrorBatch(
  tx: Tx,
  batch: { id: string; kind: ErrorBatchKind; reason: string },
  postIds: number[],
): Promise<void> {
  await tx.$executeRaw`
    WITH batch AS (
      INSERT INTO error_batch (id, kind, reason) VALUES (${batch.id}::uuid, ${batch.kind}, ${batch.reason}) RETURNING id)
    INSERT INTO error_batch_entry (batch_id, post_id, approved_at, deliveries, nacks, timeouts, lease_label, reserved_at,
                                   errored_at, error_reason, error_details)
    SELECT batch.id, post_id, approved_at, deliveries, nacks, timeouts, lease_label, reserved_at, errored_at,
           error_reason, error_details
      FROM queue_entry, batch WHERE state = 'error' AND post_id = ANY (${postIds}::int[])`;
}

/** Notes when the posts of a batch were rejected. */
export async function stampErrorBatchRow(tx: Tx, id: string, reviewedAt: Date | null): Promise<void> {
  await tx.$executeRaw`UPDATE error_batch SET reviewed_at = ${reviewedAt}::timestamptz WHERE id = ${id}::uuid`;
}

/** A batch of the last day, locked: it is undone once, and not after a day, whether it has been pruned by then or not. */
export async function lockErrorBatch(tx: Tx, id: string): Promise<ErrorBatchRow | null> {
  const rows = await tx.$queryRaw<ErrorBatchRow[]>`
    SELECT id, kind, reason, reviewed_at, undone_at,
           ARRAY(SELECT post_id FROM error_batch_entry WHERE batch_id = b.id ORDER BY post_id) AS post_ids
      FROM error_batch b WHERE id = ${id}::uuid AND kind <> 'review' AND at > now() - interval '1 day' FOR UPDATE`;
  return rows[0] ?? null;
}

export async function markErrorBatchUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE error_batch SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`;
}

/** Posts of a batch that are pending at their place and were not handed out since. */
export async function stillRequeuedRows(tx: Tx, id: string): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN error_batch_entry e USING (post_id)
     WHERE e.batch_id = ${id}::uuid AND q.state = 'pending' AND q.deliveries = e.deliveries
       AND q.approved_at = e.approved_at`;
  return rows.map((row) => row.post_id);
}

/**
 * Puts pending entries back into the error they had in a batch, at their old places. A new row takes the place of the
 * old one: a move to `error` would be counted as one more report of a consumer.
 */
export async function restoreErrorRows(tx: Tx, id: string, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM queue_entry WHERE state = 'pending' AND post_id = ANY (${postIds}::int[]) RETURNING *)
    INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, stream_id, author_key, tags, missing, holds,
                             random_key, deliveries, nacks, timeouts, lease_label, reserved_at, errored_at, error_reason,
                             error_details)
    SELECT gone.post_id, 'error', e.approved_at, gone.post_created_at, gone.stream_id, gone.author_key, gone.tags,
           gone.missing, gone.holds, gone.random_key, e.deliveries, e.nacks, e.timeouts, e.lease_label, e.reserved_at,
           e.errored_at, e.error_reason, e.error_details
      FROM gone JOIN error_batch_entry e USING (post_id) WHERE e.batch_id = ${id}::uuid`;
  await tx.$executeRaw`
    UPDATE post p SET approved_at = e.approved_at FROM error_batch_entry e
     WHERE p.id = e.post_id AND e.batch_id = ${id}::uuid AND p.id = ANY (${postIds}::int[])
       AND p.approved_at IS DISTINCT FROM e.approved_at`;
}

export interface ReviewedErrorRow {
  batch_id: string;
  post_id: number;
  reason: string;
}

/** What is kept of posts that had failed when a reviewer rejected them at this moment. */
export async function reviewedErrorRows(
  tx: Tx,
  postIds: number[],
  rejectedAt: Date,
): Promise<ReviewedErrorRow[]> {
  return tx.$queryRaw<ReviewedErrorRow[]>`
    SELECT e.batch_id, e.post_id, e.error_reason AS reason
      FROM error_batch_entry e JOIN error_batch b ON b.id = e.batch_id
     WHERE e.post_id = ANY (${postIds}::int[]) AND b.kind = 'review' AND b.reviewed_at = ${rejectedAt}::timestamptz
     ORDER BY e.post_id`;
}
