import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { recordFailedPost } from "./error-batches.ts";
import {
  lockQueueStates,
  readEntryFacts,
  restoreEntryFacts,
  wantChecksOfHeld,
  type EntryFacts,
} from "./queue-entries.ts";
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
  const [entry] = await readEntryFacts(tx, [postId]);
  if (entry === undefined || (entry.refusals === 0 && entry.not_before === null)) return;
  const before = { entry: { ...entry } };
  await recordAction(tx, principal, { kind: "offer", changed: 1, details: { post_id: postId }, before });
}

const entryOf = ({ before }: StoredAction) => (before as { entry: EntryFacts }).entry;

/** Keeps the post back again, unless it was handed out since. */
export const offerKind: ActionKind = {
  scope: "manage",
  boundKeys: "own",
  outlook: async (actions) => {
    const now = await readEntryFacts(
      db,
      actions.map((action) => entryOf(action).post_id),
    );
    return new Map(actions.map((action) => [action.id, offerOutlook(entryOf(action), now)]));
  },
  undo: async (tx, principal, action) => {
    const entry = entryOf(action);
    const streams = principal.stream_ids ?? [];
    if ((await stateRow(tx, entry.post_id, streams)) === null) return { restored: 0, limits: { deleted: 1 } };
    await lockQueueStates(tx, [entry.post_id]);
    const outlook = offerOutlook(entry, await readEntryFacts(tx, [entry.post_id]));
    if (outlook.restorable === 1) await restoreEntryFacts(tx, [entry]);
    return { restored: outlook.restorable, limits: outlook.limits };
  },
};

function offerOutlook(before: EntryFacts, now: readonly EntryFacts[]): Outlook {
  const entry = now.find((each) => each.post_id === before.post_id);
  if (entry === undefined) return { restorable: 0, limits: { changed_again: 1 } };
  if (entry.deliveries !== before.deliveries) return { restorable: 0, limits: { handed_out: 1 } };
  return { restorable: 1, limits: {} };
}
