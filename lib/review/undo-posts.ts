import type { Prisma, Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { restoreEntries } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { findChange, lockOpenChange, markUndone, type StoredChange } from "./changes.ts";
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
import { itemPosts, judgedItems, writeFormerReviews, type ItemLimit, type ItemRow } from "./undo-sql.ts";

/* One undo for decisions and batches. */

/** A batch of thousands of posts is one transaction. */
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

/** Note and details of the history lines. */
interface Line {
  note?: string | null;
  details?: Prisma.InputJsonObject;
}

/**
 * Also of another member's batch.
 *
 * @throws batch_not_found: unknown, or with posts that the key may not change; batch_undone
 */
export async function undoBatchOf(principal: Principal, id: string): Promise<TakenBack> {
  return inTransaction(async (tx) => {
    const batch = await findChange(tx, id);
    if (batch?.kind !== "batch") throw new ApiError("batch_not_found");
    const taken = await takeBack(tx, principal, batch);
    await markUndone(tx, id);
    return taken;
  }, TIMEOUT_MS);
}

/**
 * Restores the posts of a change that nobody changed since: review, note, and the whole queue entry.
 *
 * @throws batch_undone
 */
export async function takeBack(
  tx: Tx,
  principal: Principal,
  change: StoredChange,
  line: Line = {},
): Promise<TakenBack> {
  const ids = await itemPosts(tx, change.id);
  const locked = new Map((await lockForReview(tx, ids)).map((each) => [each.post.id, each]));
  if (!(await lockOpenChange(tx, change.id))) throw new ApiError("batch_undone");

  const taken: TakenBack = { restored: [], edited: [], kept: [], unreviewed: false };
  const open: OpenItem[] = [];
  const edited: LockedPost[] = [];
  for (const item of await judgedItems(tx, change.id)) {
    const { post_id: id, limit } = item;
    const post = locked.get(id);
    if (post === undefined) taken.kept.push({ id, limit: "deleted", state: null });
    else if (limit === null) open.push({ ...item, locked: post });
    else if (limit === "edited") edited.push(post);
    else taken.kept.push({ id, limit, state: post.state });
  }
  taken.restored = open.map((item) => item.post_id);
  taken.unreviewed = edited.length > 0 || open.some(({ former }) => former === null);

  const isBatch = change.kind === "batch";
  const options: DecideOptions = {
    note: line.note ?? (isBatch ? "batch undone" : "undone"),
    details: { ...line.details, ...(isBatch ? { batch_id: change.id } : {}), undoes: change.id },
    undoes: true,
  };
  const cleared = await decideLocked(tx, principal, edited, null, { ...options, note: EDITED_SINCE });
  taken.edited = cleared.changed.map(({ id }) => id);
  for (const each of cleared.unchanged) {
    const state = each.why === "missing" ? null : each.state;
    taken.kept.push({ id: each.id, limit: undoLimitOf[each.why], state });
  }
  if (change.details["decision"] === "skip")
    await unskip(tx, principal, open, { ...line, details: options.details });
  else await restore(tx, principal, change, open, options);
  await restoreNotes(tx, change.id, [...taken.restored, ...taken.edited]);
  if (isBatch) {
    const details = { batch: change.id, decision: String(change.details["decision"]), changed: open.length };
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
  { id }: StoredChange,
  open: readonly OpenItem[],
  options: DecideOptions,
): Promise<void> {
  const changed = new Set<number>();
  for (const verdict of verdicts) {
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
  const line = { action: "error_back", from_state: "pending", to_state: "error" };
  const failed = entries.filter(({ reason }) => reason !== null);
  await recordEvents(
    tx,
    principal,
    failed.map(({ post_id, reason }) => ({ post_id, ...line, note: reason })),
  );
}
