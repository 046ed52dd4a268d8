import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import type { UndoLimit } from "#lib/actions/schema.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { errorOutlooks } from "#lib/queue/error-batches.ts";
import { decidedPostRows, postOutlookRows } from "./action-sql.ts";
import { undoBatchAction } from "./batches.ts";
import { lockForReview } from "./decide-posts.ts";
import { undoDecisionAction } from "./decisions.ts";
import { undoErrorsAction } from "./failed-posts.ts";
import { noteOutlookRows, restoreNotes } from "./sql.ts";

/* Kinds of actions of this domain; a kind's id is that of the decision or batch. */

export const decisionKind: ActionKind = {
  scope: "review",
  boundKeys: "own",
  undo: undoDecisionAction,
  outlook: async (actions) => {
    const [outlooks, posts] = await Promise.all([
      postOutlooks(actions),
      decidedPostRows(actions.map(({ id }) => id)),
    ]);
    const postOf = new Map(
      posts.map(({ action_id, post_id, ...post }) => [action_id, { id: post_id, ...post }]),
    );
    return new Map([...outlooks].map(([id, outlook]) => [id, { ...outlook, post: postOf.get(id) ?? null }]));
  },
};

export const batchKind: ActionKind = {
  scope: "review",
  boundKeys: "own",
  undo: undoBatchAction,
  outlook: postOutlooks,
};

const postIdOf = ({ details }: StoredAction) => Number(details["post_id"]);

/** A note or score without a decision. */
export const noteKind: ActionKind = {
  scope: "review",
  boundKeys: "own",
  outlook: async (actions) => {
    const parts = actions.map((action) => ({ id: action.id, post_id: postIdOf(action) }));
    const rows = await noteOutlookRows(parts);
    return new Map(rows.map(({ action_id, limit }) => [action_id, outlookOf(limit)]));
  },
  undo: async (tx, principal, action) => {
    const [locked] = await lockForReview(tx, principal, [postIdOf(action)]);
    if (!locked) return { restored: 0, limits: { deleted: 1 } };
    const { post, state } = locked;
    const restored = await restoreNotes(tx, "decision_id", action.id, [post.id]);
    if (restored === 0) return { restored, limits: { [post.erased ? "erased" : "changed_again"]: 1 } };
    const line = { action: "note", from_state: state, to_state: state, note: "undone" };
    await recordEvents(tx, principal, [{ post_id: post.id, ...line, details: { undoes: action.id } }]);
    return { restored, limits: {} };
  },
};

const outlookOf = (limit: UndoLimit | null): Outlook =>
  limit === null ? { restorable: 1, limits: {} } : { restorable: 0, limits: { [limit]: 1 } };

/** Groups of failed posts, requeued or rejected, and one failed post requeued. */
export const errorsKind: ActionKind = {
  scope: "manage",
  boundKeys: "own",
  undo: undoErrorsAction,
  outlook: errorOutlooks,
};

/** One failed post marked as delivered. */
export const deliveryKind: ActionKind = { ...errorsKind, scope: "review" };

async function postOutlooks(actions: readonly StoredAction[]): Promise<Map<string, Outlook>> {
  const outlooks = new Map(actions.map(({ id }): [string, Outlook] => [id, { restorable: 0, limits: {} }]));
  for (const { action_id, limit, posts } of await postOutlookRows([...outlooks.keys()])) {
    const outlook = outlooks.get(action_id);
    if (outlook === undefined) continue;
    if (limit === null) outlook.restorable = posts;
    else outlook.limits[limit] = posts;
  }
  return outlooks;
}
