import type { Tx } from "#lib/db.ts";
import type { StoredAction } from "./action-kind.ts";
import { actionRow, lastDecisionRow, lockRow, markUndoneRow, type ActionRow, type Owner } from "./sql.ts";

/* For operations with an undo of their own. */

/** @param owner null for any member's action */
export async function findAction(tx: Tx, owner: Owner | null, id: string): Promise<ActionRow | null> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  return isId ? actionRow(tx, owner, id) : null;
}

/** The owner's last decision on a post, without undone decisions. Locks the action. */
export async function findLastDecision(tx: Tx, owner: Owner, postId: number): Promise<StoredAction | null> {
  return lastDecisionRow(tx, owner, postId);
}

/** Call it after locking the posts, as a deletion does. @returns false for an action that is missing or undone */
export async function lockOpenAction(tx: Tx, id: string): Promise<boolean> {
  return (await lockRow(tx, id))?.undone_at === null;
}

export async function markActionUndone(tx: Tx, id: string): Promise<void> {
  await markUndoneRow(tx, id, null);
}
