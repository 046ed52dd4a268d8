import { randomUUID } from "node:crypto";
import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { BULK_TIMEOUT_MS, inTransaction } from "#lib/base/transaction.ts";
import { wantSourceChecks } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import type { PostFilters } from "./filter-schema.ts";
import { resolveAddress } from "./look-up-address.ts";
import { findPosts, stillMatching } from "./search-posts.ts";
import { countTime, unchangedSince } from "./unchanged-since.ts";
import {
  filtersOf,
  MAX_FILTER_BATCH,
  type BatchCount,
  type BatchRequest,
  type BatchResult,
} from "./batch-schema.ts";
import {
  decide,
  judge,
  lockForReview,
  unchangedReason,
  type DecideOptions,
  type LockedPost,
  type Unchanged,
} from "./decide.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import type { ReviewRow } from "./sql.ts";

/** Source checks that one batch asks for. */
const MAX_CHECKS = 500;
const NOT_SEEN = "Its own server has not shown it yet; it is asked now, so try again later";

/**
 * Counts what `runBatch` would do, without changing anything.
 *
 * @throws validation: the filter matches more than 10 000 posts, or the reason is not in use
 */
export async function countBatch(request: BatchRequest): Promise<BatchCount> {
  const as_of = await countTime();
  const found = await findForBatch(request);
  return inTransaction(async (tx) => {
    const { locked, missing } = await lockFound(tx, found);
    const { changed, unchanged } = judge(locked, request.decision === "approve", onlyOf(request, null));
    return {
      changed: changed.length,
      unchanged: answersOf(request, unchanged, missing),
      ...found.incomplete,
      as_of,
    };
  });
}

/**
 * Decides on posts by id or filter, in one transaction. A filter is evaluated before the transaction and again under lock,
 * so that no lock is held during the search. Posts that only other servers have shown are not approved: their content may
 * be invented.
 *
 * @param asOf time of a count: posts that came or changed later stay as they are
 * @throws validation: the filter matches more than 10 000 posts, or the reason is not in use
 */
export async function runBatch(
  principal: Principal,
  request: BatchRequest,
  asOf?: Date,
): Promise<BatchResult> {
  const { reject_reason = null, decision } = request;
  const found = await findForBatch(request);
  const id = randomUUID();
  return inTransaction(async (tx) => {
    const { locked, missing } = await lockFound(tx, found);
    const ids = locked.map(({ post }) => post.id);
    const counted = asOf === undefined ? null : new Set(await unchangedSince(tx, ids, asOf));
    const note = request.note ?? null;
    const decided = await decide(tx, principal, locked, decision === "approve", {
      note,
      details: { batch_id: id },
      undoable: true,
      reviewer_notes: note ?? undefined,
      reject_reason,
      only: onlyOf(request, counted),
    });
    const changed = decided.changed.length;
    if (changed > 0) {
      const reason = reject_reason === null ? {} : { reject_reason_id: { to: reject_reason } };
      const details = { batch: id, decision, changed, ...reason };
      await recordEvents(tx, principal, [{ post_id: 0, action: "batch", note, details }]);
    }
    const unseen = decided.unchanged.filter((each) => each.why === "skipped" && !each.post.seen_at_source);
    await wantSourceChecks(
      tx,
      unseen.slice(0, MAX_CHECKS).map((each) => each.post.id),
    );
    return {
      batch_id: id,
      changed,
      unchanged: answersOf(request, decided.unchanged, missing),
      ...found.incomplete,
    };
  }, BULK_TIMEOUT_MS);
}

interface Found {
  ids: number[];
  /** Null when the request names ids. */
  filters: PostFilters | null;
  incomplete: { incomplete_results?: true };
}

async function findForBatch(request: BatchRequest): Promise<Found> {
  await requireRejectReasons([request]);
  if (request.filter === undefined) return { ids: request.post_ids ?? [], filters: null, incomplete: {} };
  const filters = await resolveAddress(filtersOf(request.filter));
  const { ids, incomplete } = await findPosts(filters, MAX_FILTER_BATCH + 1);
  if (ids.length > MAX_FILTER_BATCH) {
    const message = `matches more than ${MAX_FILTER_BATCH} posts; narrow it`;
    throw validationError([{ path: "filter", message }]);
  }
  return { ids, filters, incomplete: incomplete ? { incomplete_results: true } : {} };
}

async function lockFound(
  tx: Tx,
  { ids, filters }: Found,
): Promise<{ locked: LockedPost[]; missing: number[] }> {
  const locked = await lockForReview(tx, ids);
  const known = new Set(locked.map(({ post }) => post.id));
  if (filters !== null) {
    const still = await stillMatching(tx, filters, [...known]);
    return { locked: locked.filter(({ post }) => still.has(post.id)), missing: [] };
  }
  return { locked, missing: [...new Set(ids)].filter((id) => !known.has(id)) };
}

/** @param counted ids that neither came nor changed since the count; null for all */
function onlyOf(request: BatchRequest, counted: ReadonlySet<number> | null): DecideOptions["only"] {
  return (post) => whyLeftOut(request, post) === null && (counted === null || counted.has(post.id));
}

function whyLeftOut({ decision, shown = [] }: BatchRequest, post: ReviewRow): string | null {
  if (decision === "approve" && !post.seen_at_source && env().CONFIRM_WITHIN_HOURS > 0) return NOT_SEEN;
  const seen = shown.find(({ id }) => id === post.id);
  if (seen === undefined) return null;
  if (seen.approved !== post.approved) return "Reviewed by somebody else since it was shown";
  if (seen.version !== undefined && seen.version !== post.version) return "Edited since it was shown";
  return null;
}

function answersOf(
  request: BatchRequest,
  unchanged: Unchanged[],
  missing: number[],
): BatchResult["unchanged"] {
  const gone = new ApiError("post_not_found").message;
  return [
    ...unchanged.map((each) => ({
      post_id: each.post.id,
      detail:
        each.why === "skipped"
          ? (whyLeftOut(request, each.post) ?? "Changed since it was counted")
          : unchangedReason(each),
    })),
    ...missing.map((post_id) => ({ post_id, detail: gone })),
  ];
}
