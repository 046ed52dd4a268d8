import type { Tx } from "#lib/db.ts";
import {
  lockErrorBatch,
  markErrorBatchUndone,
  restoreErrorRows,
  reviewedErrorRows,
  stillRequeuedRows,
  type ErrorBatchRow,
  type ReviewedErrorRow,
} from "./error-batch-sql.ts";

/** A group of errors that was requeued or rejected, locked until the transaction ends; null when there is none. */
export async function findErrorBatch(tx: Tx, id: string): Promise<ErrorBatchRow | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  return lockErrorBatch(tx, id);
}

/** Posts of a batch that wait where the requeue put them and have not been handed out since. */
export function stillRequeued(tx: Tx, id: string): Promise<number[]> {
  return stillRequeuedRows(tx, id);
}

/** Puts pending posts of a batch, locked by the caller, back into the error they had, and ends the batch. */
export async function restoreErrors(tx: Tx, id: string, postIds: number[]): Promise<void> {
  await restoreErrorRows(tx, id, postIds);
  await markErrorBatchUndone(tx, id);
}

/** Puts pending posts, locked by the caller, back into the error they had when a reviewer rejected them at this moment. */
export async function restoreReviewedErrors(
  tx: Tx,
  postIds: number[],
  rejectedAt: Date,
): Promise<ReviewedErrorRow[]> {
  const rows = await reviewedErrorRows(tx, postIds, rejectedAt);
  for (const id of new Set(rows.map((row) => row.batch_id))) {
    const failed = rows.filter((row) => row.batch_id === id).map((row) => row.post_id);
    await restoreErrors(tx, id, failed);
  }
  return rows;
}
