import { randomUUID } from "node:crypto";
import type { Actor } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { insertAction, pruneActionRows } from "./sql.ts";
import type { ActionKindName } from "./schema.ts";

export interface ActionRecord {
  /** Id of the decision, batch or preview; by default the one that the client chose for the request. */
  id?: string | undefined;
  kind: ActionKindName;
  /** Posts, entries or settings that changed; by default the number of `posts`. */
  changed?: number;
  /** Shown by the history. No text of posts: it would outlive them (docs/decisions/0029-forgetting.md). */
  details?: Prisma.InputJsonObject;
  /** Former values of anything other than posts, for the undo. No text of posts. */
  before?: Prisma.InputJsonObject;
  /** Locked, and about to change: their reviews and queue entries are stored for the undo (lib/review/undo-posts.ts). */
  posts?: readonly number[];
}

/**
 * Call in the transaction of the change; with `posts` before it, else at any time. Records nothing for the service itself,
 * or when nothing changed.
 *
 * @throws action_done: an action with this id exists, so the request is a repetition
 */
export async function recordAction(tx: Tx, actor: Actor, action: ActionRecord): Promise<void> {
  if (action.changed === 0 || action.posts?.length === 0) return;
  await recordRequest(tx, actor, action);
}

/** Records also what changed nothing, so that a repeated request gets the same answer; the history leaves it out. */
export async function recordRequest(tx: Tx, actor: Actor, action: ActionRecord): Promise<void> {
  if (actor.member_id === null) return;
  const { id = newActionId(actor), kind, details = {}, before = {}, posts = [] } = action;
  const { changed = posts.length } = action;
  const row = { id, session_id: actor.session_id ?? null, kind, changed, details, before, posts };
  if (!(await insertAction(tx, actor, row))) throw new ApiError("action_done");
}

/** For the action of this request. */
export function newActionId(actor: Actor): string {
  return actor.action_id ?? randomUUID();
}

export async function pruneActions(): Promise<void> {
  await pruneActionRows();
}
