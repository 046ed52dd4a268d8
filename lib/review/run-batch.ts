import { randomUUID } from "node:crypto";
import { streamsOf, type Principal } from "#lib/auth/principal.ts";
import { Prisma, type Tx } from "#lib/db.ts";
import { validationError } from "#lib/http/errors.ts";
import { recordEvents } from "#lib/posts/record-event.ts";
import { matchingIds } from "./batch-sql.ts";
import { decidePosts, type Decided } from "./decide-posts.ts";
import { inTransaction } from "#lib/http/in-transaction.ts";
import { MAX_FILTER_BATCH, type BatchRequest, type BatchResult } from "./batch-schema.ts";
import { filtersOf } from "./saved-filter-schema.ts";
import type { ReviewState } from "./state.ts";
import { unchangedReason } from "./unchanged-reason.ts";

/** Thousands of posts in one transaction, or none of them. */
export const BATCH_TIMEOUT_MS = 120_000;

/**
 * Gives many posts one verdict, all in one transaction: a line in each post's history, one line in the log. Posts
 * that cannot or need not change are named and stop no other.
 * @throws validation: the filter reaches more than 10 000 posts
 */
export async function runBatch(principal: Principal, request: BatchRequest): Promise<BatchResult> {
  const id = randomUUID();
  return inTransaction(async (tx) => {
    const ids = await idsOf(tx, principal, request);
    const note = request.note ?? null;
    const decided = await decidePosts(tx, principal, ids, request.decision === "approve", {
      note,
      details: { batch_id: id },
      ...(note === null ? {} : { reviewer_notes: note }),
    });
    await recordBatch(tx, principal, id, request, decided);
    return {
      batch_id: id,
      changed: decided.changed.length,
      unchanged: decided.unchanged.map((each) => ({ post_id: each.id, detail: unchangedReason(each) })),
    };
  }, BATCH_TIMEOUT_MS);
}

async function idsOf(tx: Tx, principal: Principal, request: BatchRequest): Promise<number[]> {
  if (request.post_ids) return request.post_ids;
  const ids = await matchingIds(
    tx,
    { ...filtersOf(request.filter ?? {}), own_streams: streamsOf(principal) ?? undefined },
    MAX_FILTER_BATCH + 1,
  );
  if (ids.length <= MAX_FILTER_BATCH) return ids;
  const message = `matches more than ${MAX_FILTER_BATCH} posts; narrow it`;
  throw validationError([{ path: "filter", message }]);
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
