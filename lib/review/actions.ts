import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import type { UndoLimit } from "#lib/actions/schema.ts";
import type { Scope } from "#lib/auth/permissions.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { lockForReview } from "./decide-posts.ts";
import { noteOutlookRows, restoreNotes } from "./sql.ts";
import { postOutlooks, undoPosts } from "./undo-posts.ts";
import { decidedPostRows } from "./undo-sql.ts";

/** Batches, groups of failed posts, and moves of one queue entry. */
export const postsKind = (scope: Scope): ActionKind => ({
  scope,
  undo: undoPosts,
  outlook: postOutlooks,
});

export const decisionKind: ActionKind = {
  ...postsKind("review"),
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

const postIdOf = ({ details }: StoredAction) => Number(details["post_id"]);

/** A note or score without a decision. */
export const noteKind: ActionKind = {
  scope: "review",
  outlook: async (actions) => {
    const parts = actions.map((action) => ({ id: action.id, post_id: postIdOf(action) }));
    const rows = await noteOutlookRows(parts);
    return new Map(rows.map(({ action_id, limit }) => [action_id, outlookOf(limit)]));
  },
  undo: async (tx, principal, action) => {
    const [locked] = await lockForReview(tx, [postIdOf(action)]);
    if (!locked) return { restored: 0, limits: { deleted: 1 } };
    const { post, state } = locked;
    const restored = await restoreNotes(tx, action.id, [post.id]);
    if (restored === 0) return { restored, limits: { [post.erased ? "erased" : "changed_again"]: 1 } };
    const line = { action: "note", from_state: state, to_state: state, note: "undone" };
    await recordEvents(tx, principal, [{ post_id: post.id, ...line, details: { undoes: action.id } }]);
    return { restored, limits: {} };
  },
};

const outlookOf = (limit: UndoLimit | null): Outlook =>
  limit === null ? { restorable: 1, limits: {} } : { restorable: 0, limits: { [limit]: 1 } };
