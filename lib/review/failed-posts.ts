import type { StoredAction, UndoLimits, UndoOutcome } from "#lib/actions/action-kind.ts";
import { markActionUndone } from "#lib/actions/record-action.ts";
import type { UndoLimit } from "#lib/actions/schema.ts";
import type { Actor, Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { postsOfOtherStreams } from "#lib/posts/allowed-streams.ts";
import {
  actionIdFor,
  findErrorBatch,
  listErrorPosts,
  recordErrorAction,
  recordErrorBatch,
  restoreErrors,
  restoreReviewedErrors,
  stampErrorBatch,
  takeBackQueued,
  takeCountedErrors,
} from "#lib/queue/error-batches.ts";
import type { ErrorBatch, ErrorBatchUndone, ErrorGroup } from "#lib/queue/schema.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  decideLocked,
  EDITED_SINCE,
  lockForReview,
  restoreVerdicts,
  type LockedPost,
} from "./decide-posts.ts";
import { formerState, restoreFormerState } from "./former-state.ts";
import type { ReviewState } from "./state.ts";

/** Oldest error first. `undoErrors` reverts it. */
export async function dismissErrors(principal: Principal, group: ErrorGroup): Promise<ErrorBatch> {
  const { reason, limit } = group;
  return inTransaction(async (tx) => {
    const counted = await takeCountedErrors(tx, principal, "dismiss", group);
    const listed = await listErrorPosts(tx, principal, reason, limit);
    const ids = counted === null ? listed : listed.filter((id) => counted.includes(id));
    const locked = await lockForReview(tx, principal, ids);
    const failed = locked.filter(({ state }) => state === "error");
    const failedIds = failed.map(({ post }) => post.id);
    const id = actionIdFor(principal, group);
    const batch_id = await recordErrorBatch(tx, "dismiss", reason, failedIds, id);
    const options = { note: reason, errors_kept: true } as const;
    const decided = await decideLocked(tx, principal, failed, false, options);
    const { changed, reviewed_at } = decided;
    if (batch_id !== null) {
      await stampErrorBatch(tx, batch_id, reviewed_at);
      await recordErrorAction(tx, principal, batch_id, {
        change: "dismiss",
        changed: changed.length,
        before: formerState(decided),
      });
    }
    return { changed: changed.length, batch_id };
  });
}

/**
 * Returns posts to `error` with reason, details and position, unless reserved or decided again.
 *
 * @throws batch_not_found: unknown, older than a day, or with posts that the key may not change; batch_undone
 */
export async function undoErrors(principal: Principal, id: string): Promise<ErrorBatchUndone> {
  return inTransaction(async (tx) => {
    const { restored, edited, left } = await takeBackErrors(tx, principal, id);
    await markActionUndone(tx, id);
    return { changed: restored, unchanged: left.length + edited };
  });
}

/** Undo by the history of actions. */
export async function undoErrorsAction(
  tx: Tx,
  principal: Principal,
  action: StoredAction,
): Promise<UndoOutcome> {
  const { restored, edited, left } = await takeBackErrors(tx, principal, action.id);
  const limits: UndoLimits = edited > 0 ? { edited } : {};
  const count = (limit: UndoLimit, n = 1) => (limits[limit] = (limits[limit] ?? 0) + n);
  for (const state of left)
    count(state === "rejected" || state === "unreviewed" ? "decided_again" : "handed_out");
  const deleted = action.changed - restored - edited - left.length;
  if (deleted > 0) count("deleted", deleted);
  return { restored, limits };
}

/** @returns number of restored posts, of edited ones (unreviewed now), and the states of the others that still exist */
async function takeBackErrors(
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<{ restored: number; edited: number; left: ReviewState[] }> {
  const postIds = (await findErrorBatch(tx, id, false))?.post_ids ?? [];
  // A batch can be undone once, so a key that may change only some of its posts must not undo it.
  if ((await postsOfOtherStreams(tx, principal, postIds)).length > 0) throw new ApiError("batch_not_found");
  const locked = await lockForReview(tx, principal, postIds);
  const batch = await findErrorBatch(tx, id, true);
  if (!batch) throw new ApiError("batch_not_found");
  if (batch.undone_at !== null) throw new ApiError("batch_undone");
  let ids: number[];
  let edited: number[] = [];
  if (batch.kind === "dismiss") {
    const rejected = locked.filter(
      ({ post, state }) =>
        state === "rejected" && post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
    );
    // Approval enqueues them, which computes their current holds.
    const approved = await restoreVerdicts(tx, principal, batch.id, rejected, true, {
      note: "rejection undone",
    });
    ids = approved.changed.map((post) => post.id);
    ({ edited } = approved);
  } else {
    const unread = locked.filter(({ post }) => post.version !== post.reviewed_version);
    const queued = await takeBackQueued(tx, batch);
    edited = await unreviewEdited(tx, principal, unread, queued);
    ids = queued.filter((each) => !edited.includes(each));
  }
  await restoreErrors(tx, batch.id, ids);
  if (batch.kind === "dismiss") await restoreFormerState(tx, batch.id, ids);
  const from_state = batch.kind === "deliver" ? "delivered" : "pending";
  const line = { action: "error_back", from_state, to_state: "error", note: batch.reason };
  await recordEvents(
    tx,
    principal,
    ids.map((post_id) => ({ post_id, ...line })),
  );
  const changed = new Set([...ids, ...edited]);
  const left = locked.filter(({ post }) => !changed.has(post.id)).map(({ state }) => state);
  return { restored: ids.length, edited: edited.length, left };
}

/** Posts that were edited while they were marked as delivered. @returns their ids */
async function unreviewEdited(
  tx: Tx,
  actor: Actor,
  unread: LockedPost[],
  queued: number[],
): Promise<number[]> {
  const pending = unread.filter(({ post }) => queued.includes(post.id));
  const { changed } = await decideLocked(
    tx,
    actor,
    pending.map(({ post }) => ({ post, state: "pending" })),
    null,
    { note: EDITED_SINCE },
  );
  return changed.map(({ id }) => id);
}

/**
 * Puts posts that were in `error` before the rejection back there; otherwise consumers would get them again.
 *
 * @param ids locked, and approved in this transaction
 * @param rejectedAt `reviewed_at` of the rejection
 */
export async function returnErrors(
  tx: Tx,
  actor: Actor,
  ids: number[],
  rejectedAt: Date | null,
): Promise<void> {
  if (ids.length === 0 || rejectedAt === null) return;
  const failed = await restoreReviewedErrors(tx, ids, rejectedAt);
  const line = { action: "error_back", from_state: "pending", to_state: "error" };
  await recordEvents(
    tx,
    actor,
    failed.map(({ post_id, reason }) => ({ post_id, ...line, note: reason })),
  );
}
