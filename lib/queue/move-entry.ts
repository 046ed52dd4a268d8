import { recordAction } from "#lib/actions/record-action.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { recordFailedPost } from "./error-groups.ts";
import { lockQueueStates, wantChecksOfHeld } from "./queue-entries.ts";
import { moveEntryRow, stateRow } from "./sql.ts";

/** Moves by an operator or reviewer, with the required state. */
export const manualMoves = {
  requeue: { from: "error", to: "pending" },
  mark_delivered: { from: "error", to: "delivered" },
  offer_again: { from: "pending", to: "pending" },
} as const;

/**
 * Requeues (`error` → `pending` at the old position), marks as delivered (`error` → `delivered`, after a lost ack) or
 * offers again at once (`pending`, kept back after refusals). Clears reason and refusals, which stay in the history.
 *
 * @throws queue_post_not_found, wrong_state.
 */
export async function moveEntry(
  principal: Principal,
  postId: number,
  rawId: string,
  move: keyof typeof manualMoves,
): Promise<void> {
  const { from, to } = manualMoves[move];
  await inTransaction(async (tx) => {
    const streams = principal.stream_ids ?? [];
    if (move === "offer_again") await recordOffer(tx, principal, postId);
    else await recordFailedPost(tx, principal, postId, move === "requeue" ? "requeue" : "deliver");
    if ((await moveEntryRow(tx, postId, from, to, streams)) === 0) {
      const state = await stateRow(tx, postId, streams);
      if (state === null) throw new ApiError("queue_post_not_found", { id: rawId });
      throw new ApiError("wrong_state", { state, expected: from });
    }
    await wantChecksOfHeld(tx, [postId]);
    await recordEvents(tx, principal, [{ post_id: postId, action: move, from_state: from, to_state: to }]);
  });
}

async function recordOffer(tx: Tx, principal: Principal, postId: number): Promise<void> {
  await lockQueueStates(tx, [postId]);
  const keptBack = { OR: [{ refusals: { not: 0 } }, { not_before: { not: null } }] };
  const isKeptBack = await tx.queue_entry.count({
    where: { post_id: postId, state: "pending", ...keptBack },
  });
  if (isKeptBack === 0) return;
  await recordAction(tx, principal, { kind: "offer", details: { post_id: postId }, posts: [postId] });
}
