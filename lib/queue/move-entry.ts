import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { recordEvents } from "./record-event.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import { moveErrorRows, stateRow } from "./sql.ts";

/** Moves of a failed post by a person, with the state that it enters. */
export const manualMoves = { requeue: "pending", mark_delivered: "delivered" } as const;

/**
 * Requeues a failed post (`error` → `pending`, at its old position) or marks it as delivered (`error` → `delivered`, after a
 * lost ack). Clears the reason, which stays in the history, and the refusals in a row.
 *
 * @param rawId the id as sent, for the text of the 404
 * @throws queue_post_not_found, wrong_state
 */
export async function moveEntry(
  principal: Principal,
  postId: number,
  rawId: string,
  move: keyof typeof manualMoves,
): Promise<void> {
  const to = manualMoves[move];
  await inTransaction(async (tx) => {
    if ((await moveErrorRows(tx, [postId], to)) === 0) {
      const state = await stateRow(tx, postId);
      if (state === null) throw new ApiError("queue_post_not_found", { id: rawId });
      throw new ApiError("wrong_state", { state, expected: "error" });
    }
    await wantChecksOfHeld(tx, [postId]);
    await recordEvents(tx, principal, [{ post_id: postId, action: move, from_state: "error", to_state: to }]);
  });
}
