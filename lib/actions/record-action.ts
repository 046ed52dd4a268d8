import { randomUUID } from "node:crypto";
import type { Actor } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { insertAction, markUndoneRow, pruneActionRows } from "./sql.ts";
import type { ActionKindName } from "./schema.ts";

export interface ActionRecord {
  /** Id of the decision, batch or preview; by default the one that the client chose for the request. */
  id?: string | undefined;
  kind: ActionKindName;
  /** Posts or entries that changed. */
  changed: number;
  /** Shown by the history. No text of posts: it would outlive them (docs/decisions/0029-forgetting.md). */
  details?: Prisma.InputJsonObject;
  /** Former values, for the undo. No text of posts. */
  before?: Prisma.InputJsonObject;
}

/**
 * Call in the transaction of the change. Records nothing for the service itself, or when nothing changed.
 *
 * @throws action_done: an action with this id exists, so the request is a repetition
 */
export async function recordAction(tx: Tx, actor: Actor, action: ActionRecord): Promise<void> {
  if (actor.member_id === null || action.changed === 0) return;
  const { id = newActionId(actor), kind, changed, details = {}, before = {} } = action;
  const row = { id, session_id: actor.session_id ?? null, kind, changed, details, before };
  if (!(await insertAction(tx, actor, row))) throw new ApiError("action_done");
}

/** For the action of this request. */
export function newActionId(actor: Actor): string {
  return actor.action_id ?? randomUUID();
}

/** `before` of an action; null when it is unknown or no longer kept. */
export async function readBefore(tx: Tx, id: string): Promise<unknown> {
  const row = await tx.action.findUnique({ where: { id }, select: { before: true } });
  return row?.before ?? null;
}

/** For operations that undo an action by themselves. Unknown ids are ignored. */
export async function markActionUndone(tx: Tx, id: string): Promise<void> {
  await markUndoneRow(tx, id, null);
}

export async function pruneActions(): Promise<void> {
  await pruneActionRows();
}
