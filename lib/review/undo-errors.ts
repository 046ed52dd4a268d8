import type { Principal } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { beyondReach } from "#lib/posts/beyond-reach.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { findErrorBatch, restoreErrors, stillRequeued } from "#lib/queue/restore-errors.ts";
import type { ErrorBatchUndone } from "#lib/queue/schema.ts";
import { decideLocked, lockForReview } from "./decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";

/**
 * Takes back that a group of failed posts was requeued or rejected: each is in `error` again, with its reason, details
 * and place, unless it was handed out or decided again since.
 * @throws batch_not_found: unknown, older than a day, or out of reach; batch_undone
 */
export async function undoErrors(principal: Principal, id: string): Promise<ErrorBatchUndone> {
  return inTransaction(async (tx) => {
    const batch = await findErrorBatch(tx, id);
    // Undone once and for all: whoever reaches only some of its posts must not use that up.
    if (!batch || (await beyondReach(tx, principal, batch.post_ids)).length > 0) {
      throw new ApiError("batch_not_found");
    }
    if (batch.undone_at !== null) throw new ApiError("batch_undone");
    const locked = await lockForReview(tx, principal, batch.post_ids);
    let ids: number[];
    if (batch.kind === "requeue") {
      ids = await stillRequeued(tx, batch.id);
    } else {
      const rejected = locked.filter(
        ({ post, state }) =>
          state === "rejected" && post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
      );
      // Approved again first: the queue then knows what holds them now.
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
