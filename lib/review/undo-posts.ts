import type { ActionKind, Outlook, StoredAction, UndoLimits } from "#lib/actions/action-kind.ts";
import { findAction, lockOpenAction, markActionUndone } from "#lib/actions/find-action.ts";
import type { ActionKindName } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { unmarkDelivered } from "#lib/queue/error-groups.ts";
import { restoreEntries } from "#lib/queue/queue-entries.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  decideLocked,
  EDITED_SINCE,
  lockForReview,
  undoLimitOf,
  type DecideOptions,
  type LockedPost,
} from "./decide-posts.ts";
import { leaseHolderOf } from "./deck.ts";
import { unskipCard } from "./deck-sql.ts";
import { restoreNotes } from "./sql.ts";
import { verdicts, type ReviewState } from "./state.ts";
import {
  itemPosts,
  judgedItems,
  outlookRows,
  writeFormerReviews,
  type ItemLimit,
  type ItemRow,
} from "./undo-sql.ts";

/* One undo for each action on posts: decisions, batches, groups of failed posts, marked deliveries and offers. */

/** An action of thousands of posts is one transaction. */
const TIMEOUT_MS = 120_000;

export interface Kept {
  id: number;
  limit: Exclude<ItemLimit, "edited">;
  /** Null if the post is deleted. */
  state: ReviewState | null;
}

export interface TakenBack {
  restored: number[];
  /** Unreviewed now, because no reviewer has read their present version. */
  edited: number[];
  kept: Kept[];
  /** At least one post is unreviewed now. */
  unreviewed: boolean;
}

const notes: Partial<Record<ActionKindName, string>> = { batch: "batch undone", errors: "rejection undone" };

/** Note and details of the history lines. */
interface Line {
  note?: string | null;
  details?: Prisma.InputJsonObject;
}

/** Undo by the history of actions. */
export const undoPosts: ActionKind["undo"] = async (tx, principal, action) => {
  const { restored, edited, kept } = await takeBack(tx, principal, action);
  const limits: UndoLimits = edited.length > 0 ? { edited: edited.length } : {};
  for (const { limit } of kept) limits[limit] = (limits[limit] ?? 0) + 1;
  return { restored: restored.length, limits };
};

export async function postOutlooks(actions: readonly StoredAction[]): Promise<Map<string, Outlook>> {
  const outlooks = new Map(actions.map(({ id }): [string, Outlook] => [id, { restorable: 0, limits: {} }]));
  for (const { action_id, limit, posts } of await outlookRows([...outlooks.keys()])) {
    const outlook = outlooks.get(action_id);
    if (outlook === undefined) continue;
    if (limit === null) outlook.restorable += posts;
    else outlook.limits[limit] = posts;
  }
  return outlooks;
}

/**
 * Undo by the endpoints of batches and groups of failed posts: also of another member's action, and marked as undone
 * even when nothing could be restored.
 *
 * @throws batch_not_found: unknown, expired, or with posts that the key may not change; batch_undone
 */
export async function undoBatchOf(
  principal: Principal,
  id: string,
  kinds: readonly ActionKindName[],
): Promise<TakenBack> {
  return inTransaction(async (tx) => {
    const action = await findAction(tx, null, id);
    if (action === null || !kinds.includes(action.kind)) throw new ApiError("batch_not_found");
    const taken = await takeBack(tx, principal, action);
    if (taken.kept.some(({ limit }) => limit === "expired")) throw new ApiError("batch_not_found");
    await markActionUndone(tx, id);
    return taken;
  }, TIMEOUT_MS);
}

/**
 * Restores the posts of an action that nobody changed since: review, note, and the whole queue entry.
 *
 * @throws batch_undone
 */
export async function takeBack(
  tx: Tx,
  principal: Principal,
  action: StoredAction,
  line: Line = {},
): Promise<TakenBack> {
  const ids = await itemPosts(tx, action.id);
  const locked = new Map((await lockForReview(tx, ids)).map((each) => [each.post.id, each]));
  if (!(await lockOpenAction(tx, action.id))) throw new ApiError("batch_undone");

  const taken: TakenBack = { restored: [], edited: [], kept: [], unreviewed: false };
  const open: OpenItem[] = [];
  const edited: LockedPost[] = [];
  for (const item of await judgedItems(tx, action.id)) {
    const { post_id: id, limit } = item;
    const post = locked.get(id);
    if (post === undefined) taken.kept.push({ id, limit: "deleted", state: null });
    else if (limit === null) open.push({ ...item, locked: post });
    else if (limit === "edited") edited.push(post);
    else taken.kept.push({ id, limit, state: post.state });
  }
  taken.restored = open.map((item) => item.post_id);
  taken.unreviewed = edited.length > 0 || open.some(({ former }) => former === null);

  if (action.kind === "delivery")
    await unmarkDelivered(tx, [...taken.restored, ...edited.map(({ post }) => post.id)]);
  const isBatch = action.kind === "batch";
  const options: DecideOptions = {
    note: line.note ?? notes[action.kind] ?? "undone",
    details: { ...line.details, ...(isBatch ? { batch_id: action.id } : {}), undoes: action.id },
    undoes: true,
  };
  const unread =
    action.kind === "delivery" ? edited.map(({ post }): LockedPost => ({ post, state: "pending" })) : edited;
  const cleared = await decideLocked(tx, principal, unread, null, { ...options, note: EDITED_SINCE });
  taken.edited = cleared.changed.map(({ id }) => id);
  for (const each of cleared.unchanged) {
    const state = each.why === "missing" ? null : each.state;
    taken.kept.push({ id: each.id, limit: undoLimitOf[each.why], state });
  }
  if (action.details["decision"] === "skip")
    await unskip(tx, principal, open, { ...line, details: options.details });
  else await restore(tx, principal, action, open, options);
  await restoreNotes(tx, action.id, [...taken.restored, ...taken.edited]);
  if (isBatch) {
    const details = { batch: action.id, decision: String(action.details["decision"]), changed: open.length };
    await recordEvents(tx, principal, [{ post_id: 0, action: "batch_undo", details }]);
  }
  return taken;
}

interface OpenItem extends ItemRow {
  locked: LockedPost;
}

async function unskip(tx: Tx, principal: Principal, open: readonly OpenItem[], line: Line): Promise<void> {
  for (const { post_id, locked } of open) {
    await unskipCard(tx, leaseHolderOf(principal), post_id);
    const state = { from_state: locked.state, to_state: locked.state };
    await recordEvents(tx, principal, [{ post_id, action: "unskip", ...state, ...line }]);
  }
}

/** Approval enqueues a post with its present holds, then the entry gets back the rest. */
async function restore(
  tx: Tx,
  principal: Principal,
  { id, kind, details }: StoredAction,
  open: readonly OpenItem[],
  options: DecideOptions,
): Promise<void> {
  const isMove = kind === "delivery" || details["change"] === "requeue";
  const changed = new Set(isMove ? open.map((item) => item.post_id) : []);
  for (const verdict of isMove ? [] : verdicts) {
    const posts = open.filter(({ former }) => former === verdict).map(({ locked }) => locked);
    const decided = await decideLocked(tx, principal, posts, verdict, options);
    for (const post of decided.changed) changed.add(post.id);
  }
  const entries = open.filter(({ post_id, former }) => former === true && changed.has(post_id));
  await restoreEntries(
    tx,
    id,
    entries.map((item) => item.post_id),
  );
  await writeFormerReviews(tx, id, [...changed]);
  const from_state = kind === "delivery" ? "delivered" : "pending";
  const line = { action: "error_back", from_state, to_state: "error" };
  const failed = entries.filter(({ reason }) => reason !== null);
  await recordEvents(
    tx,
    principal,
    failed.map(({ post_id, reason }) => ({ post_id, ...line, note: reason })),
  );
}
