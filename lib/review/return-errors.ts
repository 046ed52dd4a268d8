import type { Actor } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { restoreReviewedErrors } from "#lib/queue/restore-errors.ts";

/**
 * Completes the undo of a rejection: of the posts it has just approved again, those that had failed fail again, with
 * their reason, details and place. A consumer said that it cannot use them; only a requeue offers them once more.
 * @param ids approved again in this transaction, and locked
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
