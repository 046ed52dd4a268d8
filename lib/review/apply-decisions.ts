import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { readPosts } from "#lib/posts/read-posts.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { serializePost } from "#lib/posts/serialize.ts";
import { lockForReview, type LockedPost } from "./decide-posts.ts";
import { skipCard } from "./deck-sql.ts";
import { finishDecision, startDecision } from "./decision-sql.ts";
import { decidedByOther, lineOf, type DecisionOutcome } from "./decision-outcome.ts";
import { holderOf } from "./holder.ts";
import { inTransaction } from "#lib/transaction.ts";
import { reviewLocked } from "./review-post.ts";
import type { Decision, DecisionResult } from "./decision-schema.ts";
import { writeNoteRows } from "./sql.ts";
import { undoDecision } from "./undo-decision.ts";

/**
 * Applies a desk's decisions in order, each in a transaction of its own and each `id` once for ever: whoever
 * sends again after a broken connection gets the answer the first time had. One that conflicts stops no other.
 */
export async function applyDecisions(principal: Principal, decisions: Decision[]): Promise<DecisionResult[]> {
  const answers: Omit<DecisionResult, "post">[] = [];
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

async function applyDecision(
  principal: Principal,
  decision: Decision,
): Promise<Omit<DecisionResult, "post">> {
  const holder = holderOf(principal);
  return inTransaction(async (tx) => {
    const earlier = await startDecision(tx, holder, decision);
    if (earlier) {
      return answer(decision.id, earlier.result === "applied" ? "repeated" : earlier.result, earlier.detail);
    }
    const outcome =
      decision.decision === "undo"
        ? await undoDecision(tx, principal, holder, decision)
        : await decideCard(tx, principal, holder, decision);
    await finishDecision(tx, decision.id, outcome);
    return answer(decision.id, outcome.result, outcome.detail ?? null);
  });
}

function answer(
  id: string,
  result: DecisionResult["result"],
  detail: string | null,
): Omit<DecisionResult, "post"> {
  return { id, result, ...(detail === null ? {} : { detail }) };
}

async function decideCard(
  tx: Tx,
  principal: Principal,
  holder: string,
  decision: Decision,
): Promise<DecisionOutcome> {
  const [locked] = await lockForReview(tx, principal, [decision.post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  // Somebody else's decision is shown, never written over from a card that was drawn before it.
  const detail = decidedByOther(locked, principal);
  if (detail !== null) return { result: "conflict", detail };
  const outcome = { before_approved: locked.post.approved, reviewed_at: locked.post.reviewed_at };
  if (decision.decision === "skip") {
    if (locked.state !== "unreviewed") return { result: "conflict", detail: stateConflict(locked) };
    await skip(tx, principal, holder, decision, locked.post.reviewer_notes);
    return { result: "applied", ...outcome };
  }
  try {
    const change = {
      approved: decision.decision === "approve",
      ...(decision.note == null ? {} : { reviewer_notes: decision.note }),
    };
    const reviewedAt = await reviewLocked(tx, principal, locked, change, lineOf(decision));
    return { result: "applied", ...outcome, reviewed_at: reviewedAt };
  } catch (error) {
    // Thrown before anything is written, so the transaction goes on.
    if (error instanceof ApiError && error.code === "wrong_state")
      return { result: "conflict", detail: error.message };
    throw error;
  }
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

function stateConflict({ state }: LockedPost): string {
  return new ApiError("wrong_state", { state, expected: "unreviewed" }).message;
}
