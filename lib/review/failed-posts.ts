import type { Actor, Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { postsOfOtherStreams } from "#lib/posts/allowed-streams.ts";
import {
  findErrorBatch,
  listErrorPosts,
  recordErrorBatch,
  restoreErrors,
  restoreReviewedErrors,
  stampErrorBatch,
  stillRequeued,
} from "#lib/queue/error-batches.ts";
import type { ErrorBatch, ErrorBatchUndone } from "#lib/queue/schema.ts";
import { inTransaction } from "#lib/transaction.ts";
import { decideLocked, lockForReview } from "./decide-posts.ts";

/** Oldest error first. `undoErrors` reverts it. */
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
    const batch_id = await recordErrorBatch(tx, "dismiss", reason, failedIds);
    const { changed, reviewed_at } = await decideLocked(tx, principal, failed, false, {
      note: reason,
      errors_kept: true,
    });
    if (batch_id !== null) await stampErrorBatch(tx, batch_id, reviewed_at);
    return { changed: changed.length, batch_id };
  });
}

/**
 * Returns posts to `error` with reason, details and position, unless reserved or decided again.
 *
 * @throws batch_not_found: unknown, older than a day, or with posts that the key may not change; batch_undone
 */
export async function undoErrors(principal: Principal, id: string): Promise<ErrorBatchUndone> {
  return inTransaction(async (tx) => {
    const postIds = (await findErrorBatch(tx, id, false))?.post_ids ?? [];
    // A batch can be undone once, so a key that may change only some of its posts must not undo it.
    if ((await postsOfOtherStreams(tx, principal, postIds)).length > 0) throw new ApiError("batch_not_found");
    const locked = await lockForReview(tx, principal, postIds);
    const batch = await findErrorBatch(tx, id, true);
    if (!batch) throw new ApiError("batch_not_found");
    if (batch.undone_at !== null) throw new ApiError("batch_undone");
    let ids: number[];
    if (batch.kind === "requeue") {
      ids = await stillRequeued(tx, batch.id);
    } else {
      const rejected = locked.filter(
        ({ post, state }) =>
          state === "rejected" && post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
      );
      // Approval enqueues them, which computes their current holds.
      const approved = await decideLocked(tx, principal, rejected, true, { note: "rejection undone" });
      ids = approved.changed.map((post) => post.id);
    }
    await restoreErrors(tx, batch.id, ids);
    const line = { action: "error_back", from_state: "pending", to_state: "error", note: batch.reason };
    await recordEvents(
      tx,
      principal,
      ids.map((post_id) => ({ post_id, ...line })),
    );
    return { changed: ids.length, unchanged: batch.post_ids.length - ids.length };
  });
}

/**
 * Puts posts that were in `error` before the rejection back there; otherwise consumers would get them again.
 *
 * @param ids locked, and approved in this transaction
 * @param rejectedAt `reviewed_at` of the rejection
 */
export async function returnErrors(
  tx: Tx,
  actor: Actor,
  ids: number[],
  rejectedAt: Date | null,
): Promise<void> {
  if (ids.length === 0 || rejectedAt === null) return;
  const failed = await restoreReviewedErrors(tx, ids, rejectedAt);
  const line = { action: "error_back", from_state: "pending", to_state: "error" };
  await recordEvents(
    tx,
    actor,
    failed.map(({ post_id, reason }) => ({ post_id, ...line, note: reason })),
  );
}
