import type { ActionKind, Outlook, StoredAction, UndoLimits } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { InlineCaller, Principal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { lockQueueStates, readReservations, restoreReservation, type Reservation } from "./queue-entries.ts";
import { settleReservation } from "./settle-reservation.ts";
import { stateRow } from "./sql.ts";

/**
 * `reserved` → `pending` by an operator, without counting a refusal. An action with an undo.
 *
 * @param rawId the id as sent, for the text of the 404
 * @throws queue_post_not_found, wrong_state.
 */
export async function releaseReservation(
  principal: Principal,
  caller: InlineCaller,
  postId: number,
  rawId: string,
): Promise<void> {
  await inTransaction(async (tx) => {
    await lockQueueStates(tx, [postId]);
    const [reservation] = await readReservations(tx, [postId]);
    const settlement = { move: "release", scope: "manage", if_match: null } as const;
    await settleReservation(caller, postId, rawId, settlement, tx);
    if (reservation === undefined) return;
    const before = { reservation: { ...reservation } };
    await recordAction(tx, principal, { kind: "release", changed: 1, details: { post_id: postId }, before });
  });
}

const reservationOf = ({ before }: StoredAction) => (before as { reservation: Reservation }).reservation;

/** Gives the post back to its holder, with the former end, unless somebody else has had it or it was settled. */
export const releaseKind: ActionKind = {
  scope: "manage",
  boundKeys: "own",
  outlook: async (actions) => {
    const ids = actions.map((action) => reservationOf(action).post_id);
    const rows = await db.queue_entry.findMany({
      where: { post_id: { in: ids } },
      select: { post_id: true, state: true, last_lease_id: true },
    });
    return new Map(
      actions.map((action) => {
        const { post_id, lease_id } = reservationOf(action);
        const entry = rows.find((row) => row.post_id === post_id);
        const isFree = entry?.state === "pending" && entry.last_lease_id === lease_id;
        return [
          action.id,
          isFree ? whole : notRestorable(entry === undefined ? "changed_again" : "handed_out"),
        ];
      }),
    );
  },
  undo: async (tx, principal, action) => {
    const reservation = reservationOf(action);
    const { post_id } = reservation;
    if ((await stateRow(tx, post_id, principal.stream_ids ?? [])) === null) return refuse("deleted");
    const states = await lockQueueStates(tx, [post_id]);
    if (!states.has(post_id)) return refuse("changed_again");
    if ((await restoreReservation(tx, reservation)) === 0) return refuse("handed_out");
    const event = { post_id, action: "reserve_back", from_state: "pending", to_state: "reserved" };
    await recordEvents(tx, principal, [event]);
    return { restored: 1, limits: {} };
  },
};

const whole: Outlook = { restorable: 1, limits: {} };
const notRestorable = (limit: keyof UndoLimits): Outlook => ({ restorable: 0, limits: { [limit]: 1 } });
const refuse = (limit: keyof UndoLimits) => ({ restored: 0, limits: { [limit]: 1 } });
