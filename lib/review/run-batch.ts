import { randomUUID } from "node:crypto";
import { toIso } from "#lib/clock.ts";
import { allowedStreams, type Principal } from "#lib/auth/principal.ts";
import { Prisma, type Tx } from "#lib/db.ts";
import { validationError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import type { PostFilters } from "#lib/posts/schema.ts";
import { findMatching, stillMatching, type Matching } from "./batch-sql.ts";
import { decideLocked, decidePosts, lockForReview, type Decided, type LockedPost } from "./decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";
import { MAX_FILTER_BATCH, type BatchRequest, type BatchResult } from "./batch-schema.ts";
import { filtersOf } from "./saved-filter-schema.ts";
import type { ReviewState } from "./state.ts";
import { unchangedReason } from "./unchanged-reason.ts";

/** Thousands of posts in one transaction, or none of them. */
export const BATCH_TIMEOUT_MS = 120_000;

/**
 * Gives many posts one verdict, all in one transaction: a line in each post's history, one line in the log. Posts
 * that cannot or need not change are named and stop no other. What a filter reaches is looked for before, in steps, and
 * once more when it is locked: the transaction lasts as long as the decisions take, not the search, and what somebody
 * has decided meanwhile is left alone.
 * @throws validation: the filter reaches more than 10 000 posts
 */
export async function runBatch(principal: Principal, request: BatchRequest): Promise<BatchResult> {
  const id = randomUUID();
  const filters: PostFilters | null = request.filter
    ? { ...filtersOf(request.filter), own_streams: allowedStreams(principal) ?? undefined }
    : null;
  const { ids, searched_until }: Matching = filters
    ? await reachedBy(filters)
    : { ids: request.post_ids ?? [], searched_until: null };
  return inTransaction(async (tx) => {
    const note = request.note ?? null;
    const verdict = request.decision === "approve";
    const options = {
      note,
      details: { batch_id: id },
      ...(note === null ? {} : { reviewer_notes: note }),
    };
    const decided = filters
      ? await decideLocked(tx, principal, await lockMatching(tx, principal, filters, ids), verdict, options)
      : await decidePosts(tx, principal, ids, verdict, options);
    await recordBatch(tx, principal, id, request, decided);
    return {
      batch_id: id,
      changed: decided.changed.length,
      unchanged: decided.unchanged.map((each) => ({ post_id: each.id, detail: unchangedReason(each) })),
      ...(searched_until === null ? {} : { searched_until: toIso(searched_until) }),
    };
  }, BATCH_TIMEOUT_MS);
}

async function reachedBy(filters: PostFilters): Promise<Matching> {
  const found = await findMatching(filters, MAX_FILTER_BATCH + 1);
  if (found.ids.length <= MAX_FILTER_BATCH) return found;
  const message = `matches more than ${MAX_FILTER_BATCH} posts; narrow it`;
  throw validationError([{ path: "filter", message }]);
}

/** Locks posts that matched a moment ago, without those that do not match any more. */
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
  const were = (...states: ReviewState[]) =>
    decided.changed.filter((post) => states.includes(post.from)).map((post) => post.id);
  await tx.review_batch.create({
    data: {
      id,
      actor: principal.label,
      member_id: principal.member_id,
      api_key_id: principal.key_id,
      decision: request.decision,
      note: request.note ?? null,
      filter: request.filter ?? Prisma.DbNull,
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
