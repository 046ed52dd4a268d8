import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { errorOutlooks } from "#lib/queue/error-batches.ts";
import { decidedPostRows, postOutlookRows } from "./action-sql.ts";
import { undoBatchAction } from "./batches.ts";
import { undoDecisionAction } from "./decisions.ts";
import { undoErrorsAction } from "./failed-posts.ts";

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
