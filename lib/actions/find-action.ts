import type { Tx } from "#lib/db.ts";
import type { StoredAction } from "./action-kind.ts";
import { actionRow, lastDecisionRow, lockRow, markUndoneRow, type ActionRow, type Owner } from "./sql.ts";

/* For operations that undo an action by themselves. */

/** @param owner null: of anybody */
export async function findAction(tx: Tx, owner: Owner | null, id: string): Promise<ActionRow | null> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  return isId ? actionRow(tx, owner, id) : null;
}

/** The owner's last decision on a post that was not undone, locked. */
export async function findLastDecision(tx: Tx, owner: Owner, postId: number): Promise<StoredAction | null> {
  return lastDecisionRow(tx, owner, postId);
}

/** Call after locking its posts, as a deletion does. @returns whether it is there and was not undone */
export async function lockOpenAction(tx: Tx, id: string): Promise<boolean> {
  return (await lockRow(tx, id))?.undone_at === null;
}

export async function markActionUndone(tx: Tx, id: string): Promise<void> {
  await markUndoneRow(tx, id, null);
}
