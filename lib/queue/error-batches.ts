import { randomUUID } from "node:crypto";
import { allowedStreams, type Actor, type Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  errorPostRows,
  insertErrorBatch,
  lockErrorRows,
  readErrorBatch,
  requeueRows,
  restoreErrorRows,
  reviewedErrorRows,
  stillRequeuedRows,
  type ErrorBatchKind,
  type ErrorBatchRow,
  type ReviewedErrorRow,
} from "./error-batch-sql.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import type { ErrorBatch } from "./schema.ts";

/*
 * Failed posts requeued or rejected together. The stored entries allow an undo within a day
 * (lib/review/failed-posts.ts).
 */

/** Requeues up to `limit` posts with this reason, oldest error first. */
export async function requeueErrors(
  principal: Principal,
  reason: string,
  limit: number,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await lockErrorRows(tx, reason, limit, allowedStreams(principal));
    const batch_id = await recordErrorBatch(tx, "requeue", reason, ids);
    await requeueRows(tx, ids);
    await wantChecksOfHeld(tx, ids);
    await recordEvents(
      tx,
      principal,
      ids.map((post_id) => ({
        post_id,
        action: "requeue",
        from_state: "error",
        to_state: "pending",
        note: reason,
      })),
    );
    return { changed: ids.length, batch_id };
  });
}

/** Posts with this reason in the actor's allowed streams, oldest error first. */
export async function listErrorPosts(tx: Tx, actor: Actor, reason: string, limit: number): Promise<number[]> {
  return errorPostRows(tx, reason, limit, allowedStreams(actor));
}

/**
 * Stores entries, locked by the caller, before they change together.
 *
 * @returns id of the batch; null without posts
 */
export async function recordErrorBatch(
  tx: Tx,
  kind: ErrorBatchKind,
  reason: string,
  postIds: number[],
): Promise<string | null> {
  if (postIds.length === 0) return null;
  const id = randomUUID();
  await insertErrorBatch(tx, { id, kind, reason }, postIds);
  return id;
}

export async function stampErrorBatch(tx: Tx, id: string, reviewedAt: Date | null): Promise<void> {
  await tx.error_batch.update({ where: { id }, data: { reviewed_at: reviewedAt }, select: { id: true } });
}

/** A batch that can be undone, with `lock` until the transaction ends; else null. */
export async function findErrorBatch(tx: Tx, id: string, lock: boolean): Promise<ErrorBatchRow | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  return readErrorBatch(tx, id, lock);
}

export function stillRequeued(tx: Tx, id: string): Promise<number[]> {
  return stillRequeuedRows(tx, id);
}

/** Restores pending posts, locked by the caller, and marks the batch as undone. */
export async function restoreErrors(tx: Tx, id: string, postIds: number[]): Promise<void> {
  await restoreErrorRows(tx, id, postIds);
  await tx.error_batch.update({ where: { id }, data: { undone_at: new Date() }, select: { id: true } });
}

/** Restores pending posts, locked by the caller, that a reviewer rejected at this time. */
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
