import { randomUUID } from "node:crypto";
import { allowedStreams, type Principal } from "#lib/auth/principal.ts";
import { Prisma, type Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { postsOfOtherStreams } from "#lib/posts/allowed-streams.ts";
import type { PostFilters } from "#lib/posts/schema.ts";
import { findPosts, stillMatching, type FoundPosts } from "#lib/posts/search-posts.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { inTransaction } from "#lib/transaction.ts";
import { markBatchUndone, readBatchRow, type BatchRow } from "./batch-sql.ts";
import {
  decideLocked,
  decidePosts,
  lockForReview,
  type Decided,
  type LockedPost,
  type Unchanged,
} from "./decide-posts.ts";
import { returnErrors } from "./failed-posts.ts";
import { restoreNotes, type ReviewRow } from "./sql.ts";
import { MAX_FILTER_BATCH, type BatchRequest, type BatchResult } from "./batch-schema.ts";
import { filtersOf } from "./saved-filter-schema.ts";
import { EXPECTED_STATE, type ReviewState, type Verdict } from "./state.ts";

/** A batch of thousands of posts is one transaction. */
const BATCH_TIMEOUT_MS = 120_000;

/** Source checks that one batch makes due. */
const MAX_CHECKS = 500;
const NOT_SEEN = "Its own server has not shown it yet; it is asked now, so try again later";

/**
 * A filter is evaluated before the transaction and again under lock, so that no lock is held during the search.
 * Posts that only other servers have shown are not approved: their content may be invented.
 *
 * @throws validation: the filter matches more than 10 000 posts
 */
export async function runBatch(principal: Principal, request: BatchRequest): Promise<BatchResult> {
  const id = randomUUID();
  const filters: PostFilters | null = request.filter
    ? {
        ...filtersOf(request.filter),
        own_streams: allowedStreams(principal) ?? undefined,
        hides_advice: principal.kind === "member",
      }
    : null;
  const { ids, incomplete } = filters
    ? await findForBatch(filters)
    : { ids: request.post_ids ?? [], incomplete: false };
  return inTransaction(async (tx) => {
    const note = request.note ?? null;
    const verdict = request.decision === "approve";
    const options = {
      note,
      details: { batch_id: id },
      ...(note === null ? {} : { reviewer_notes: note }),
      ...(verdict && env().CONFIRM_WITHIN_HOURS > 0
        ? { only: (post: ReviewRow) => post.seen_at_source }
        : {}),
    };
    const decided = filters
      ? await decideLocked(tx, principal, await lockMatching(tx, principal, filters, ids), verdict, options)
      : await decidePosts(tx, principal, ids, verdict, options);
    await recordBatch(tx, principal, id, request, decided);
    const unseen = decided.unchanged.flatMap((each) => (each.why === "skipped" ? each.id : []));
    await wantSourceChecks(tx, unseen.slice(0, MAX_CHECKS));
    return {
      batch_id: id,
      changed: decided.changed.length,
      unchanged: decided.unchanged.map((each) => ({
        post_id: each.id,
        detail: each.why === "skipped" ? NOT_SEEN : unchangedReason(each),
      })),
      ...(incomplete ? { incomplete_results: true as const } : {}),
    };
  }, BATCH_TIMEOUT_MS);
}

async function findForBatch(filters: PostFilters): Promise<FoundPosts> {
  const found = await findPosts(filters, MAX_FILTER_BATCH + 1);
  if (found.ids.length <= MAX_FILTER_BATCH) return found;
  const message = `matches more than ${MAX_FILTER_BATCH} posts; narrow it`;
  throw validationError([{ path: "filter", message }]);
}

/** Posts that still match, locked. */
async function lockMatching(
  tx: Tx,
  principal: Principal,
  filters: PostFilters,
  ids: number[],
): Promise<LockedPost[]> {
  const locked = await lockForReview(tx, principal, ids);
  const still = await stillMatching(
    tx,
    filters,
    locked.map(({ post }) => post.id),
  );
  return locked.filter(({ post }) => still.has(post.id));
}

async function recordBatch(
  tx: Tx,
  principal: Principal,
  id: string,
  request: BatchRequest,
  decided: Decided,
): Promise<void> {
  // The texts of a batch go with the last of its posts (prisma/functions/forget.sql), so without posts none are kept.
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
    const ids = postsOf(await readBatchRow(tx, id, false));
    // A batch can be undone once, so a key that may change only some of its posts must not undo it.
    if ((await postsOfOtherStreams(tx, principal, ids)).length > 0) throw new ApiError("batch_not_found");
    await lockForReview(tx, principal, ids);
    const batch = await readBatchRow(tx, id, true);
    if (!batch) throw new ApiError("batch_not_found");
    if (batch.undone_at !== null) throw new ApiError("batch_undone");
    const earlier: [number[], Verdict][] = [
      [batch.was_unreviewed, null],
      [batch.was_rejected, false],
      [batch.was_approved, true],
    ];
    let changed = 0;
    const unchanged: Unchanged[] = [];
    for (const [ids, verdict] of earlier) {
      if (ids.length === 0) continue;
      const decided = await decidePosts(tx, principal, ids, verdict, {
        note: "batch undone",
        details: { batch_id: batch.id },
        undoes: true,
        only: (post) => post.reviewed_at?.getTime() === batch.reviewed_at?.getTime(),
      });
      const returned = decided.changed.map((post) => post.id);
      if (verdict === true) await returnErrors(tx, principal, returned, batch.reviewed_at);
      await restoreNotes(tx, "batch_id", batch.id, returned);
      changed += decided.changed.length;
      unchanged.push(...decided.unchanged);
    }
    await markBatchUndone(tx, batch.id);
    const details = { batch: batch.id, decision: batch.decision, changed };
    await recordEvents(tx, principal, [{ post_id: 0, action: "batch_undo", details }]);
    return {
      batch_id: batch.id,
      changed,
      unchanged: unchanged.map((each) => ({ post_id: each.id, detail: unchangedReason(each) })),
    };
  }, BATCH_TIMEOUT_MS);
}

function postsOf(batch: BatchRow | null): number[] {
  return batch ? [...batch.was_unreviewed, ...batch.was_rejected, ...batch.was_approved] : [];
}

function unchangedReason(unchanged: Unchanged): string {
  if (unchanged.why === "missing") return new ApiError("post_not_found").message;
  if (unchanged.why === "erased") return new ApiError("post_erased").message;
  if (unchanged.why === "skipped") return "Decided again since";
  if (unchanged.why === "refused") {
    return new ApiError("wrong_state", { state: unchanged.state, expected: EXPECTED_STATE }).message;
  }
  const { state } = unchanged;
  return state === "rejected"
    ? "Already rejected"
    : state === "unreviewed"
      ? "Not reviewed"
      : "Already approved";
}
