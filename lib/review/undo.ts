import type { Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { BULK_TIMEOUT_MS, inTransaction } from "#lib/base/transaction.ts";
import { restoreEntries } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import type { BatchResult } from "./batch-schema.ts";
import { decide, lockForReview, unchangedReason, type DecideOptions, type LockedPost } from "./decide.ts";
import { leaseHolderOf } from "./deck.ts";
import { leaseCards, unskipCard } from "./deck-sql.ts";
import type { Line } from "./review-post.ts";
import { verdicts } from "./state.ts";
import {
  batchPosts,
  findBatch,
  readUndoLines,
  lockOpenBatch,
  restoreNotes,
  writeFormerReviews,
  type UndoLine,
} from "./undo-sql.ts";

/** Limit of the cards of a desk. */
const MAX_RETURNED = 20;

const EDITED_SINCE = "Edited since: it is unreviewed";

export interface UndoneReviews {
  /** Ids of posts that are as before. */
  restored: number[];
  /** Unreviewed now, because no reviewer has read their present version. */
  edited: { id: number; detail: string }[];
  /** Posts that stay as they are. `again`: they were decided again. */
  kept: { id: number; detail: string; again?: true }[];
}

/**
 * Undoes a batch, also one of another member. Posts that were reserved or decided again stay as they are.
 *
 * @throws batch_not_found, batch_undone
 */
export async function undoBatch(principal: Principal, id: string): Promise<BatchResult> {
  return inTransaction(async (tx) => {
    const decision = await findBatch(tx, id);
    if (decision === null) throw new ApiError("batch_not_found");
    const locked = await lockForReview(tx, await batchPosts(tx, id));
    if (!(await lockOpenBatch(tx, id))) throw new ApiError("batch_undone");
    const line = { note: "batch undone", details: { batch_id: id, undoes: id } };
    const { restored, edited, kept } = await undoReviews(
      tx,
      principal,
      locked,
      await readUndoLines(tx, id, null),
      line,
    );
    const details = { batch: id, decision, changed: restored.length };
    await recordEvents(tx, principal, [{ post_id: 0, action: "batch_undo", details }]);
    const unchanged = [...edited, ...kept].map((each) => ({ post_id: each.id, detail: each.detail }));
    return { batch_id: id, changed: restored.length, unchanged };
  }, BULK_TIMEOUT_MS);
}

/**
 * Restores posts that nobody changed since: review, note and the whole queue entry.
 *
 * @param lines of the decision or batch to undo
 * @param line what the history lines of the undo have
 */
export async function undoReviews(
  tx: Tx,
  principal: Principal,
  locked: readonly LockedPost[],
  lines: readonly UndoLine[],
  line: Line,
): Promise<UndoneReviews> {
  const posts = new Map(locked.map((each) => [each.post.id, each]));
  const undone: UndoneReviews = { restored: [], edited: [], kept: [] };
  const open: OpenLine[] = [];
  const edited: LockedPost[] = [];
  for (const each of lines) {
    const { post_id: id, limit } = each;
    const post = posts.get(id);
    if (post === undefined) undone.kept.push({ id, detail: new ApiError("post_not_found").message });
    else if (limit === null) open.push({ ...each, locked: post });
    else if (limit === "edited") edited.push(post);
    else if (limit === "again") undone.kept.push({ id, detail: "Decided again since", again: true });
    else undone.kept.push({ id, detail: unchangedReason({ why: limit, state: post.state }) });
  }
  undone.restored = open.map((each) => each.post_id);

  const options: DecideOptions = { ...line, undoes: true };
  const cleared = await decide(tx, principal, edited, null, { ...options, note: EDITED_SINCE });
  undone.edited = cleared.changed.map(({ post }) => ({ id: post.id, detail: EDITED_SINCE }));
  undone.kept.push(...cleared.unchanged.map((each) => ({ id: each.post.id, detail: unchangedReason(each) })));
  await restore(tx, principal, open, options);
  const done = new Set([...undone.restored, ...undone.edited.map(({ id }) => id)]);
  await restoreNotes(tx, idsOf(lines.filter((each) => done.has(each.post_id))));
  // The desk shows them again to the member who undoes. When they are more than a desk holds, all desks show them.
  const unreviewed = [
    ...open.filter(({ former }) => former === null),
    ...cleared.changed.map(({ post }) => ({ post_id: post.id })),
  ];
  const returns = principal.source === "screen" || lines[0]?.decision_id !== null;
  if (returns && unreviewed.length > 0 && unreviewed.length <= MAX_RETURNED)
    await leaseCards(
      tx,
      leaseHolderOf(principal),
      unreviewed.map((each) => each.post_id),
    );
  return undone;
}

interface OpenLine extends UndoLine {
  locked: LockedPost;
}

const idsOf = (lines: readonly UndoLine[]) => lines.map((line) => line.id);

/** An approval enqueues a post with its present holds; then the entry gets back its former place, counts and error. */
async function restore(
  tx: Tx,
  principal: Principal,
  open: readonly OpenLine[],
  options: DecideOptions,
): Promise<void> {
  const changed = new Set<number>();
  for (const verdict of verdicts) {
    const posts = open.filter(({ former }) => former === verdict).map(({ locked }) => locked);
    for (const { post } of (await decide(tx, principal, posts, verdict, options)).changed)
      changed.add(post.id);
  }
  const decided = open.filter((line) => changed.has(line.post_id));
  const approved = decided.filter(({ former }) => former === true);
  if (approved.length > 0) await restoreEntries(tx, idsOf(approved));
  await writeFormerReviews(tx, idsOf(decided.filter(({ former }) => former !== null)));
  const { note = null, details = {} } = options;
  const lineOf = ({ post_id, locked, action }: OpenLine) => ({
    ...{ post_id, from_state: locked.state, to_state: locked.state, note, details },
    action: action === "skip" ? "unskip" : "note",
  });
  const failed = approved.filter(({ reason }) => reason !== null);
  const returned = { action: "error_back", from_state: "pending", to_state: "error" };
  const lines = [
    ...open.filter((line) => !changed.has(line.post_id)).map(lineOf),
    ...failed.map(({ post_id, reason }) => ({ post_id, ...returned, note: reason })),
  ];
  if (lines.length > 0) await recordEvents(tx, principal, lines);
  for (const { action, post_id } of open)
    if (action === "skip") await unskipCard(tx, leaseHolderOf(principal), post_id);
}
