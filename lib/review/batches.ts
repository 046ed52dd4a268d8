import type { StoredAction, UndoLimits, UndoOutcome } from "#lib/actions/action-kind.ts";
import { markActionUndone, newActionId, recordAction } from "#lib/actions/record-action.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { Prisma, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { postsOfOtherStreams } from "#lib/posts/allowed-streams.ts";
import type { PostFilters } from "#lib/posts/schema.ts";
import { stillMatching } from "#lib/posts/search-posts.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  findForBatch,
  isShownVersion,
  mayChange,
  takeCountedBatch,
  type CountedPosts,
} from "./batch-preview.ts";
import { markBatchUndone, readBatchRow, type BatchRow } from "./batch-sql.ts";
import {
  decideLocked,
  EDITED_SINCE,
  lockForReview,
  restoreVerdicts,
  type Decided,
  type LockedPost,
  unchangedReason,
  type Unchanged,
  undoLimitOf,
} from "./decide-posts.ts";
import { returnErrors } from "./failed-posts.ts";
import { formerState, restoreFormerState } from "./former-state.ts";
import { restoreNotes } from "./sql.ts";
import type { BatchRequest, BatchResult } from "./batch-schema.ts";
import type { ReviewState, Verdict } from "./state.ts";

/** A batch of thousands of posts is one transaction. */
const BATCH_TIMEOUT_MS = 120_000;

/** Source checks that one batch makes due. */
const MAX_CHECKS = 500;
const NOT_SEEN = "Its own server has not shown it yet; it is asked now, so try again later";

/**
 * A filter is evaluated before the transaction and again under lock, so that no lock is held during the search.
 * Posts that only other servers have shown are not approved: their content may be invented. With the token of a preview,
 * exactly the posts that it counted change, as far as their state is still the same.
 *
 * @throws validation: the filter matches more than 10 000 posts; action_done, preview_not_valid
 */
export async function runBatch(principal: Principal, request: BatchRequest): Promise<BatchResult> {
  const { preview } = request;
  const id = preview ?? newActionId(principal);
  const found = preview === undefined ? await findForBatch(principal, request) : null;
  return inTransaction(async (tx) => {
    const counted = preview === undefined ? null : await takeCountedBatch(tx, principal, preview, request);
    const ids = counted === null ? (found?.ids ?? []) : [...counted.keys()];
    const locked = await lockForReview(tx, principal, ids);
    const still = found?.filters ? await lockedMatching(tx, found.filters, locked) : locked;
    const note = request.note ?? null;
    const decided = await decideLocked(tx, principal, still, request.decision === "approve", {
      note,
      details: { batch_id: id },
      ...(note === null ? {} : { reviewer_notes: note }),
      only: (post, state) =>
        mayChange(request.decision, post) &&
        isAsCounted(counted, post, state) &&
        isShownReview(request, post) &&
        isShownVersion(request, post),
    });
    const unchanged = [...decided.unchanged, ...missingOf(found?.filters ? [] : ids, locked)];
    await recordBatch(tx, principal, id, request, decided);
    await wantChecksOfUnseen(tx, decided);
    return {
      batch_id: id,
      changed: decided.changed.length,
      unchanged: unchanged.map((each) => ({
        post_id: each.id,
        detail: whyUnchanged(request, counted, each),
      })),
      ...(found?.incomplete === true ? { incomplete_results: true as const } : {}),
    };
  }, BATCH_TIMEOUT_MS);
}

async function lockedMatching(tx: Tx, filters: PostFilters, locked: LockedPost[]): Promise<LockedPost[]> {
  const ids = locked.map(({ post }) => post.id);
  const still = await stillMatching(tx, filters, ids);
  return locked.filter(({ post }) => still.has(post.id));
}

function missingOf(ids: readonly number[], locked: readonly LockedPost[]): Unchanged[] {
  const known = new Set(locked.map(({ post }) => post.id));
  return [...new Set(ids)].filter((id) => !known.has(id)).map((id) => ({ id, why: "missing" }));
}

async function wantChecksOfUnseen(tx: Tx, { unchanged }: Decided): Promise<void> {
  const unseen = unchanged.filter((each) => each.why === "skipped" && !each.post.seen_at_source);
  await wantSourceChecks(
    tx,
    unseen.slice(0, MAX_CHECKS).map(({ id }) => id),
  );
}

function whyUnchanged(request: BatchRequest, counted: CountedPosts | null, each: Unchanged): string {
  if (each.why !== "skipped") return unchangedReason(each);
  const { post, state } = each;
  if (!mayChange(request.decision, post)) return NOT_SEEN;
  if (!isShownReview(request, post)) return "Reviewed by somebody else since it was shown";
  if (!isShownVersion(request, post)) return "Edited since it was shown";
  return counted?.get(post.id)?.state === state
    ? "Edited since it was counted"
    : "Changed since it was counted";
}

function isAsCounted(counted: CountedPosts | null, post: LockedPost["post"], state: ReviewState): boolean {
  if (counted === null) return true;
  const before = counted.get(post.id);
  return before?.state === state && before.version === post.version;
}

function isShownReview({ shown = [] }: BatchRequest, post: LockedPost["post"]): boolean {
  return shown.every(({ id, approved }) => id !== post.id || approved === post.approved);
}

async function recordBatch(
  tx: Tx,
  principal: Principal,
  id: string,
  request: BatchRequest,
  decided: Decided,
): Promise<void> {
  // A batch's texts are deleted with its last post (prisma/functions/forget.sql), so without posts none are kept.
  const keepsTexts = decided.changed.length > 0;
  const were = (...states: ReviewState[]) =>
    decided.changed.filter((post) => states.includes(post.from)).map((post) => post.id);
  await tx.review_batch.create({
    data: {
      id,
      actor: principal.label,
      member_id: principal.member_id,
      api_key_id: principal.key_id,
      decision: request.decision,
      note: keepsTexts ? (request.note ?? null) : null,
      filter: (keepsTexts && request.filter) || Prisma.DbNull,
      was_unreviewed: were("unreviewed"),
      was_rejected: were("rejected"),
      was_approved: were("pending", "error"),
      reviewed_at: decided.reviewed_at,
    },
  });
  if (decided.changed.length === 0) return;
  await recordAction(tx, principal, {
    id,
    kind: "batch",
    changed: decided.changed.length,
    details: { decision: request.decision },
    before: formerState(decided),
  });
  const details = { batch: id, decision: request.decision, changed: decided.changed.length };
  await recordEvents(tx, principal, [{ post_id: 0, action: "batch", note: request.note ?? null, details }]);
}

/**
 * Leaves out posts that were reserved or decided again.
 *
 * @throws batch_not_found, batch_undone
 */
export async function undoBatch(principal: Principal, id: string): Promise<BatchResult> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw new ApiError("batch_not_found");
  return inTransaction(async (tx) => {
    const { restored, edited, unchanged } = await takeBackBatch(tx, principal, id);
    await markActionUndone(tx, id);
    return {
      batch_id: id,
      changed: restored.length,
      unchanged: [
        ...edited.map((post_id) => ({ post_id, detail: EDITED_SINCE })),
        ...unchanged.map((each) => ({ post_id: each.id, detail: unchangedReason(each) })),
      ],
    };
  }, BATCH_TIMEOUT_MS);
}

/** Undo by the history of actions. */
export async function undoBatchAction(
  tx: Tx,
  principal: Principal,
  action: StoredAction,
): Promise<UndoOutcome> {
  const { restored, edited, unchanged } = await takeBackBatch(tx, principal, action.id);
  const limits: UndoLimits = edited.length > 0 ? { edited: edited.length } : {};
  for (const each of unchanged) {
    const limit = undoLimitOf[each.why];
    limits[limit] = (limits[limit] ?? 0) + 1;
  }
  return { restored: restored.length, limits };
}

/**
 * @throws batch_not_found, batch_undone
 */
async function takeBackBatch(
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<{ restored: number[]; edited: number[]; unchanged: Unchanged[] }> {
  const ids = postsOf(await readBatchRow(tx, id, false));
  // A batch can be undone once, so a key that may change only some of its posts must not undo it.
  if ((await postsOfOtherStreams(tx, principal, ids)).length > 0) throw new ApiError("batch_not_found");
  const locked = await lockForReview(tx, principal, ids);
  const batch = await readBatchRow(tx, id, true);
  if (!batch) throw new ApiError("batch_not_found");
  if (batch.undone_at !== null) throw new ApiError("batch_undone");
  const earlier: [number[], Verdict][] = [
    [batch.was_unreviewed, null],
    [batch.was_rejected, false],
    [batch.was_approved, true],
  ];
  const restored: number[] = [];
  const edited: number[] = [];
  const unchanged = missingOf(ids, locked);
  for (const [group, verdict] of earlier) {
    const members = new Set(group);
    const posts = locked.filter(({ post }) => members.has(post.id));
    if (posts.length === 0) continue;
    const decided = await restoreVerdicts(tx, principal, batch.id, posts, verdict, {
      note: "batch undone",
      details: { batch_id: batch.id, undoes: batch.id },
      only: (post) => post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
    });
    const returned = decided.changed.map((post) => post.id);
    if (verdict === true) await returnErrors(tx, principal, returned, batch.reviewed_at);
    await restoreNotes(tx, "batch_id", batch.id, [...returned, ...decided.edited]);
    restored.push(...returned);
    edited.push(...decided.edited);
    unchanged.push(...decided.unchanged);
  }
  await restoreFormerState(tx, batch.id, restored);
  await markBatchUndone(tx, batch.id);
  const details = { batch: batch.id, decision: batch.decision, changed: restored.length };
  await recordEvents(tx, principal, [{ post_id: 0, action: "batch_undo", details }]);
  return { restored, edited, unchanged };
}

function postsOf(batch: BatchRow | null): number[] {
  return batch ? [...batch.was_unreviewed, ...batch.was_rejected, ...batch.was_approved] : [];
}
