import type { Principal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { decidedByOther, lineOf, type DecisionOutcome } from "./decision-outcome.ts";
import { lockForReview } from "./decide-posts.ts";
import { leaseCard, unskipCard } from "./deck-sql.ts";
import { lastDecisionRow, markUndone, moveDecision, type OpenDecisionRow } from "./decision-sql.ts";
import { restoreNotes } from "./notes-sql.ts";
import { returnErrors } from "./return-errors.ts";
import { reviewLocked } from "./review-post.ts";
import type { Decision } from "./decision-schema.ts";

/**
 * Takes back this reviewer's last decision on a post and gives them the card again. Possible until the post is
 * handed out, and as long as nobody has decided since.
 */
export async function undoDecision(
  tx: Tx,
  principal: Principal,
  holder: string,
  decision: Decision,
): Promise<DecisionOutcome> {
  const [locked] = await lockForReview(tx, principal, [decision.post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  const last = await lastDecisionRow(tx, holder, decision.post_id);
  if (!last) return { result: "conflict", detail: "There is no decision to undo" };

  if (locked.post.reviewed_at?.getTime() !== last.reviewed_at?.getTime()) {
    return { result: "conflict", detail: decidedByOther(locked, principal) ?? "Decided again since" };
  }
  const line = lineOf(decision);
  const details = { ...line.details, undoes: last.id };
  if (last.decision === "skip") {
    await unskipCard(tx, holder, decision.post_id);
    const state = { from_state: locked.state, to_state: locked.state };
    await recordEvents(tx, principal, [
      { post_id: decision.post_id, action: "unskip", ...state, note: line.note, details },
    ]);
  } else {
    try {
      const note = line.note ?? "undone";
      const change = { approved: last.before_approved };
      const reviewedAt = await reviewLocked(tx, principal, locked, change, { note, details, undoes: true });
      if (last.before_approved === true)
        await returnErrors(tx, principal, [decision.post_id], locked.post.reviewed_at);
      await restoreEarlier(tx, holder, last, reviewedAt);
    } catch (error) {
      // Thrown before anything is written, so the transaction goes on.
      if (error instanceof ApiError && error.code === "wrong_state")
        return { result: "conflict", detail: error.message };
      throw error;
    }
  }
  await restoreNotes(tx, "decision_id", last.id, [decision.post_id]);
  if (last.decision === "skip") await markUndone(tx, last.id);
  if (last.before_approved === null) await leaseCard(tx, holder, decision.post_id);
  return { result: "applied" };
}

/**
 * The decision before the undone one stands again, but as of now: without the new time its own undo would take
 * this one for somebody else's.
 */
async function restoreEarlier(
  tx: Tx,
  holder: string,
  undone: OpenDecisionRow,
  reviewedAt: Date | null,
): Promise<void> {
  await markUndone(tx, undone.id);
  const earlier = await lastDecisionRow(tx, holder, undone.post_id);
  if (!earlier || earlier.decision === "skip" || reviewedAt === null) return;
  if ((earlier.decision === "approve") === undone.before_approved)
    await moveDecision(tx, earlier.id, reviewedAt);
}
