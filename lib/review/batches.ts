import { newActionId, recordRequest } from "#lib/actions/record-action.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import type { PostFilters } from "#lib/posts/filter-schema.ts";
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
import type { BatchRequest, BatchResult } from "./batch-schema.ts";
import {
  decideLocked,
  EDITED_SINCE,
  limitReason,
  lockForReview,
  type Decided,
  type LockedPost,
  unchangedReason,
  type Unchanged,
} from "./decide-posts.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import type { ReviewState } from "./state.ts";
import { undoBatchOf } from "./undo-posts.ts";

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
 * @throws validation: the filter matches more than 10 000 posts, or the reason is not in use; action_done, preview_not_valid
 */
export async function runBatch(principal: Principal, request: BatchRequest): Promise<BatchResult> {
  const { preview, reject_reason = null } = request;
  await requireRejectReasons([request]);
  const id = preview ?? newActionId(principal);
  const found = preview === undefined ? await findForBatch(principal, request) : null;
  return inTransaction(async (tx) => {
    const counted = preview === undefined ? null : await takeCountedBatch(tx, principal, preview, request);
    const ids = counted === null ? (found?.ids ?? []) : [...counted.keys()];
    const locked = await lockForReview(tx, ids);
    const still = found?.filters ? await lockedMatching(tx, found.filters, locked) : locked;
    const note = request.note ?? null;
    const record = { id, kind: "batch", details: { decision: request.decision } } as const;
    const decided = await decideLocked(tx, principal, still, request.decision === "approve", {
      note,
      details: { batch_id: id },
      record,
      ...(note === null ? {} : { reviewer_notes: note }),
      reject_reason,
      only: (post, state) =>
        mayChange(request.decision, post) &&
        isAsCounted(counted, post, state) &&
        isShownReview(request, post) &&
        isShownVersion(request, post),
    });
    const unchanged = [...decided.unchanged, ...missingOf(found?.filters ? [] : ids, locked)];
    if (decided.changed.length > 0) {
      const line = { batch: id, decision: request.decision, changed: decided.changed.length };
      const reason = reject_reason === null ? {} : { reject_reason_id: { to: reject_reason } };
      await recordEvents(tx, principal, [
        { post_id: 0, action: "batch", note, details: { ...line, ...reason } },
      ]);
    } else await recordRequest(tx, principal, { ...record, changed: 0 });
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

/**
 * Leaves out posts that were reserved or decided again.
 *
 * @throws batch_not_found, batch_undone
 */
export async function undoBatch(principal: Principal, id: string): Promise<BatchResult> {
  const { restored, edited, kept } = await undoBatchOf(principal, id, ["batch"]);
  return {
    batch_id: id,
    changed: restored.length,
    unchanged: [
      ...edited.map((post_id) => ({ post_id, detail: EDITED_SINCE })),
      ...kept.map((each) => ({ post_id: each.id, detail: limitReason(each.limit, each.state) })),
    ],
  };
}
