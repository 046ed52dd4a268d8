import type { Principal } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { moveEntryRow, stateRow } from "./sql.ts";

/** Moves by an operator's or reviewer's hand, with the state each needs. */
export const manualMoves = {
  requeue: { from: "error", to: "pending" },
  mark_delivered: { from: "error", to: "delivered" },
  offer_again: { from: "pending", to: "pending" },
} as const;

/**
 * Requeue (`error` → `pending` at its old place), mark as delivered (`error` → `delivered`, for a post that was
 * boosted although its ack was lost) or offer again at once (`pending`, kept back for refusals). Clears reason
 * and refusals from the entry; they stay in the history.
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
    if ((await moveEntryRow(tx, postId, from, to, streams)) === 0) {
      const state = await stateRow(tx, postId, streams);
      if (state === null) throw new ApiError("queue_post_not_found", { id: rawId });
      throw new ApiError("wrong_state", { state, expected: from });
    }
    await recordEvents(tx, principal, [{ post_id: postId, action: move, from_state: from, to_state: to }]);
  });
}
