import { db, type Prisma, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { readPosts } from "./read-posts.ts";
import { serializePost } from "./serialize.ts";
import { ChangeDone, findChange, findLastDecision, markUndone, recordChange } from "./changes.ts";
import { EDITED_SINCE, limitReason, lockForReview, type LockedPost } from "./decide-posts.ts";
import { leaseHolderOf } from "./deck.ts";
import { leaseCards, skipCard } from "./deck-sql.ts";
import type { Decision, DecisionResult } from "./decision-schema.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import { reviewLocked } from "./review-post.ts";
import { wasEditedAfter, writeNoteRows } from "./sql.ts";
import { takeBack } from "./undo-posts.ts";

interface DecisionOutcome {
  /** `edited`: a conflict, because the post was edited after it was shown. */
  result: "applied" | "conflict" | "edited" | "not_found";
  /** An undo made the post unreviewed. */
  edited?: boolean;
  detail?: string | undefined;
  /** The change is recorded. */
  recorded?: boolean;
}

type Applied = Omit<DecisionResult, "post">;

/**
 * Each `id` is applied once, in its own transaction: a repeated request gets the stored result.
 *
 * @throws validation: a reason that is unknown or was archived before the decision; nothing is applied
 */
export async function applyDecisions(principal: Principal, decisions: Decision[]): Promise<DecisionResult[]> {
  await requireRejectReasons(decisions, (index) => `decisions.${index}.reject_reason`);
  const answers: Applied[] = [];
  for (const decision of decisions) answers.push(await applyDecision(principal, decision));
  const posts = await readPosts(
    db,
    decisions.map((decision) => decision.post_id),
  );
  return answers.map((answer, i) => {
    const post = posts.get(decisions[i]?.post_id ?? 0);
    return { ...answer, post: post ? serializePost(post, post) : null };
  });
}

async function applyDecision(principal: Principal, decision: Decision): Promise<Applied> {
  const { id, post_id, decision: verb } = decision;
  const apply = verb === "undo" ? undoDecision : decideCard;
  try {
    return await inTransaction(async (tx) => {
      const { recorded = false, ...outcome } = await apply(tx, principal, decision);
      if (!recorded) {
        // With the post, so that an undo can name also a decision that changed nothing.
        const posts = outcome.result === "applied" && verb !== "undo" ? [post_id] : [];
        const details = { decision: verb, post_id, ...outcome };
        await recordChange(tx, principal, { id, kind: "decision", details, posts });
      }
      return answer(id, outcome, "applied");
    });
  } catch (error) {
    const earlier = error instanceof ChangeDone ? await findChange(db, id) : null;
    if (earlier?.kind !== "decision") throw error;
    return answer(id, { result: "applied", ...earlier.details }, "repeated");
  }
}

function answer(
  id: string,
  { result, detail, edited = false }: DecisionOutcome,
  applied: "applied" | "repeated",
): Applied {
  return {
    id,
    result: result === "applied" ? applied : result === "edited" ? "conflict" : result,
    ...(detail === undefined ? {} : { detail }),
    ...(result === "edited" || edited ? { code: "edited" } : {}),
  };
}

async function decideCard(tx: Tx, principal: Principal, decision: Decision): Promise<DecisionOutcome> {
  const holder = leaseHolderOf(principal);
  const [locked] = await lockForReview(tx, [decision.post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  // A stale card must not overwrite another person's decision.
  const detail = decidedByOther(locked, principal);
  if (detail !== null) return { result: "conflict", detail };
  if (await isAboutEarlierVersion(tx, locked, decision)) {
    if (locked.state === "unreviewed") await leaseCards(tx, holder, [decision.post_id]);
    return { result: "edited", detail: "Edited since it was shown" };
  }
  const { id, post_id, decision: verb } = decision;
  const record = { id, kind: "decision", details: { decision: verb }, posts: [post_id] } as const;
  if (verb === "skip") {
    if (locked.state !== "unreviewed") return { result: "conflict", detail: stateConflict(locked) };
    await recordChange(tx, principal, record);
    await skip(tx, principal, holder, decision, locked.post.reviewer_notes);
    return { result: "applied", recorded: true };
  }
  try {
    const change = {
      approved: verb === "approve",
      ...(decision.note == null ? {} : { reviewer_notes: decision.note }),
      ...(decision.reject_reason === undefined ? {} : { reject_reason: decision.reject_reason }),
    };
    const line = lineOf(decision);
    const { edited, decided } = await reviewLocked(tx, principal, locked, change, record, line);
    if (edited && !decided) await recordChange(tx, principal, record);
    return { result: "applied", recorded: edited || decided };
  } catch (error) {
    // Thrown before any write, so the transaction can continue.
    if (isRefusal(error)) return { result: "conflict", detail: error.message };
    throw error;
  }
}

/** A client that names no version had read what was stored when it decided. */
async function isAboutEarlierVersion(tx: Tx, { post }: LockedPost, decision: Decision): Promise<boolean> {
  const { version, decided_at } = decision;
  if (version !== undefined) return version !== post.version;
  return post.version > 1 && decided_at != null && wasEditedAfter(tx, post.id, decided_at);
}

async function skip(
  tx: Tx,
  principal: Principal,
  holder: string,
  decision: Decision,
  before: string | null,
): Promise<void> {
  await skipCard(tx, holder, decision.post_id);
  const line = lineOf(decision);
  const to = decision.note ?? before;
  if (to !== before) {
    await writeNoteRows(tx, [decision.post_id], { reviewer_notes: to });
    line.details = { ...line.details, reviewer_notes: { from: before, to } };
  }
  const state = { from_state: "unreviewed", to_state: "unreviewed" };
  await recordEvents(tx, principal, [{ post_id: decision.post_id, action: "skip", ...state, ...line }]);
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "wrong_state" || error.code === "post_erased");
}

function stateConflict({ state }: LockedPost): string {
  return new ApiError("wrong_state", { state, expected: "unreviewed" }).message;
}

/** The caller's last decision on a post. Leases the card again. */
async function undoDecision(tx: Tx, principal: Principal, decision: Decision): Promise<DecisionOutcome> {
  const { post_id } = decision;
  const [locked] = await lockForReview(tx, [post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  const last = await findLastDecision(tx, principal, post_id);
  if (!last) return { result: "conflict", detail: "There is no decision to undo" };
  // It may be undone meanwhile, and an undo must not reach an earlier decision.
  if (decision.undoes != null && decision.undoes !== last.id)
    return { result: "conflict", detail: "The decision was changed or undone meanwhile" };
  const { edited, kept, unreviewed } = await takeBack(tx, principal, last, lineOf(decision));
  const [left] = kept;
  if (left !== undefined) {
    const other = left.limit === "decided_again" ? decidedByOther(locked, principal) : null;
    return { result: "conflict", detail: other ?? limitReason(left.limit, left.state) };
  }
  await markUndone(tx, last.id);
  if (unreviewed) await leaseCards(tx, leaseHolderOf(principal), [post_id]);
  return { result: "applied", ...(edited.length > 0 ? { edited: true, detail: EDITED_SINCE } : {}) };
}

function lineOf(decision: Decision): { note: string | null; details: Prisma.InputJsonObject } {
  const parts = [decision.reason, decision.note].filter((part) => part != null && part !== "");
  return {
    note: parts.length > 0 ? parts.join(": ") : null,
    details: {
      decision_id: decision.id,
      ...(decision.reason == null ? {} : { reason: decision.reason }),
      ...(decision.decided_at == null ? {} : { decided_at: decision.decided_at }),
    },
  };
}

/** Null if the caller may decide. Anyone may change a rule's decision. */
function decidedByOther({ post }: LockedPost, principal: Principal): string | null {
  if (post.approved === null || post.reviewed_by_member === null) return null;
  if (post.reviewed_by_member === principal.member_id) return null;
  return `Already ${post.approved ? "approved" : "rejected"} by ${post.reviewed_by ?? "somebody else"}`;
}
