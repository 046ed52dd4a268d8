import type { Principal } from "#lib/auth/principal.ts";
import { keepErrorBatch, stampErrorBatch } from "#lib/queue/keep-error-batch.ts";
import { listErrorPosts } from "#lib/queue/list-error-posts.ts";
import type { ErrorBatch } from "#lib/queue/schema.ts";
import { decideLocked, lockForReview } from "./decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";

/**
 * Rejects up to `limit` posts that failed for this reason, oldest error first; the error stays in their history, and
 * `undoErrors` takes it back. One that somebody requeued meanwhile is left alone.
 */
export async function dismissErrors(
  principal: Principal,
  reason: string,
  limit: number,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await listErrorPosts(tx, principal, reason, limit);
    const locked = await lockForReview(tx, principal, ids);
    const failed = locked.filter(({ state }) => state === "error");
    const failedIds = failed.map(({ post }) => post.id);
    const batch_id = await keepErrorBatch(tx, "dismiss", reason, failedIds);
    const { changed, reviewed_at } = await decideLocked(tx, principal, failed, false, {
      note: reason,
      errors_kept: true,
    });
    if (batch_id !== null) await stampErrorBatch(tx, batch_id, reviewed_at);
    return { changed: changed.length, batch_id };
  });
}
