import type { Principal } from "#lib/auth/principal.ts";
import type { StoredAction, UndoLimits, UndoOutcome } from "#lib/actions/action-kind.ts";
import { markActionUndone, recordAction } from "#lib/actions/record-action.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { readPosts } from "#lib/posts/read-posts.ts";
import type { Post } from "#lib/posts/schema.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { serializePost } from "#lib/posts/serialize.ts";
import {
  EDITED_SINCE,
  lockForReview,
  restoreVerdicts,
  unchangedReason,
  type LockedPost,
} from "./decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";
import { leaseHolderOf } from "./deck.ts";
import { leaseCard, skipCard, unskipCard } from "./deck-sql.ts";
import type { Decision, DecisionResult } from "./decision-schema.ts";
import {
  decidedPost,
  finishDecision,
  lastDecisionRow,
  markUndone,
  moveDecision,
  startDecision,
  wasEditedAfter,
  type OpenDecisionRow,
  type StoredOutcome,
} from "./decision-sql.ts";
import { returnErrors } from "./failed-posts.ts";
import { formerState, nothingBefore, restoreFormerState } from "./former-state.ts";
import { hidesAdvice, isBlind, withoutAdvice } from "./hide-advice.ts";
import { reviewLocked } from "./review-post.ts";
import { restoreNotes, writeNoteRows } from "./sql.ts";

interface DecisionOutcome {
  result: StoredOutcome["result"];
  /** An undo made the post unreviewed. */
  edited?: boolean;
  /** State before the decision, when the verdict or the note changed or the card was skipped. */
  before?: Prisma.InputJsonObject | null;
  detail?: string;
  before_approved?: boolean | null;
  reviewed_at?: Date | null;
}

type Applied = Omit<DecisionResult, "post" | "advice">;

/** Each `id` is applied once, in its own transaction: a repeated request gets the stored result. */
export async function applyDecisions(principal: Principal, decisions: Decision[]): Promise<DecisionResult[]> {
  const answers: Applied[] = [];
  for (const decision of decisions) answers.push(await applyDecision(principal, decision));
  const posts = await readPosts(
    db,
    decisions.map((decision) => decision.post_id),
  );
  return answers.map((answer, i) => {
    const post = posts.get(decisions[i]?.post_id ?? 0);
    return post
      ? { ...answer, ...answerAbout(principal, serializePost(post, post)) }
      : { ...answer, post: null };
  });
}

/** The advice on a card that hid it is told with the decision. */
function answerAbout(principal: Principal, post: Post): Pick<DecisionResult, "post" | "advice"> {
  if (hidesAdvice(principal, post)) return { post: withoutAdvice(post) };
  if (principal.kind !== "member" || post.approved === null || !isBlind(post.id)) return { post };
  const { ai_would_reject: would_reject, ai_score: score, ai_reasons: reasons, vision_category } = post;
  return { post, advice: { would_reject, score, reasons, vision_category } };
}

async function applyDecision(principal: Principal, decision: Decision): Promise<Applied> {
  const holder = leaseHolderOf(principal);
  return inTransaction(async (tx) => {
    const earlier = await startDecision(tx, holder, decision);
    if (earlier) return answer(decision.id, earlier, "repeated");
    const outcome =
      decision.decision === "undo"
        ? await undoDecision(tx, principal, holder, decision)
        : await decideCard(tx, principal, holder, decision);
    await finishDecision(tx, decision.id, outcome);
    if (outcome.before != null) {
      const { id, decision: verb } = decision;
      const record = { id, kind: "decision", changed: 1, details: { decision: verb } } as const;
      await recordAction(tx, principal, { ...record, before: outcome.before });
    }
    return answer(decision.id, outcome, "applied");
  });
}

function answer(
  id: string,
  {
    result,
    detail = null,
    edited = false,
  }: Pick<DecisionOutcome, "result" | "edited"> & { detail?: string | null },
  applied: "applied" | "repeated",
): Applied {
  return {
    id,
    result: result === "applied" ? applied : result === "edited" ? "conflict" : result,
    ...(detail === null ? {} : { detail }),
    ...(result === "edited" || edited ? { code: "edited" } : {}),
  };
}

async function decideCard(
  tx: Tx,
  principal: Principal,
  holder: string,
  decision: Decision,
): Promise<DecisionOutcome> {
  const [locked] = await lockForReview(tx, principal, [decision.post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  // A stale card must not overwrite another person's decision.
  const detail = decidedByOther(locked, principal);
  if (detail !== null) return { result: "conflict", detail };
  if (await isAboutEarlierVersion(tx, locked, decision)) {
    if (locked.state === "unreviewed") await leaseCard(tx, holder, decision.post_id);
    return { result: "edited", detail: "Edited since it was shown" };
  }
  const outcome = { before_approved: locked.post.approved, reviewed_at: locked.post.reviewed_at };
  if (decision.decision === "skip") {
    if (locked.state !== "unreviewed") return { result: "conflict", detail: stateConflict(locked) };
    await skip(tx, principal, holder, decision, locked.post.reviewer_notes);
    return { result: "applied", before: {}, ...outcome };
  }
  try {
    const change = {
      approved: decision.decision === "approve",
      ...(decision.note == null ? {} : { reviewer_notes: decision.note }),
    };
    const line = lineOf(decision);
    // For the example of the decision (prisma/functions/examples.sql).
    if (hidesAdvice(principal, locked.post)) line.details = { ...line.details, advice_hidden: true };
    const { reviewed_at, edited, decided } = await reviewLocked(tx, principal, locked, change, line);
    const before = decided ? formerState(decided) : edited ? nothingBefore : null;
    return { result: "applied", ...outcome, reviewed_at, before };
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

/** Undo by the desk: the caller's last decision on a post. Leases the card again. */
async function undoDecision(
  tx: Tx,
  principal: Principal,
  holder: string,
  decision: Decision,
): Promise<DecisionOutcome> {
  const [locked] = await lockForReview(tx, principal, [decision.post_id]);
  if (!locked) return { result: "not_found", detail: "Post not found" };
  const last = await lastDecisionRow(tx, holder, decision.post_id);
  if (!last) return { result: "conflict", detail: "There is no decision to undo" };
  // The history may have undone it meanwhile, and an undo must not reach an earlier decision.
  if (decision.undoes != null && decision.undoes !== last.id)
    return { result: "conflict", detail: "The decision was changed or undone meanwhile" };
  const outcome = await takeBack(tx, principal, locked, last, lineOf(decision));
  if (outcome.result !== "applied") return outcome;
  await markActionUndone(tx, last.id);
  if (last.before_approved === null || outcome.edited) await leaseCard(tx, holder, decision.post_id);
  return outcome;
}

/** Undo by the history of actions: one decision by its id. */
export async function undoDecisionAction(
  tx: Tx,
  principal: Principal,
  action: StoredAction,
): Promise<UndoOutcome> {
  const postId = await decidedPost(tx, action.id);
  const [locked] = await lockForReview(tx, principal, [postId ?? 0]);
  if (!locked || postId === null) return { restored: 0, limits: { deleted: 1 } };
  const last = await lastDecisionRow(tx, leaseHolderOf(principal), postId);
  if (last?.id !== action.id) return { restored: 0, limits: { decided_again: 1 } };
  const { result, edited } = await takeBack(tx, principal, locked, last, { note: null, details: {} });
  if (edited) return { restored: 0, limits: { edited: 1 } };
  if (result === "applied") return { restored: 1, limits: {} };
  const isSame = locked.post.reviewed_at?.getTime() === last.reviewed_at?.getTime();
  const limit: keyof UndoLimits = !isSame ? "decided_again" : locked.post.erased ? "erased" : "handed_out";
  return { restored: 0, limits: { [limit]: 1 } };
}

async function takeBack(
  tx: Tx,
  principal: Principal,
  locked: LockedPost,
  last: OpenDecisionRow,
  line: ReturnType<typeof lineOf>,
): Promise<DecisionOutcome> {
  const holder = leaseHolderOf(principal);
  const postId = locked.post.id;
  if (locked.post.reviewed_at?.getTime() !== last.reviewed_at?.getTime()) {
    return { result: "conflict", detail: decidedByOther(locked, principal) ?? "Decided again since" };
  }
  const details = { ...line.details, undoes: last.id };
  if (last.decision === "skip") {
    await unskipCard(tx, holder, postId);
    const state = { from_state: locked.state, to_state: locked.state };
    await recordEvents(tx, principal, [
      { post_id: postId, action: "unskip", ...state, note: line.note, details },
    ]);
    await restoreNotes(tx, "decision_id", last.id, [postId]);
    await markUndone(tx, last.id);
    return { result: "applied" };
  }
  const { before_approved: former } = last;
  const note = line.note ?? "undone";
  const decided = await restoreVerdicts(tx, principal, last.id, [locked], former, { note, details });
  const [left] = decided.unchanged;
  if (left !== undefined && left.why !== "none") return { result: "conflict", detail: unchangedReason(left) };
  await markUndone(tx, last.id);
  await restoreNotes(tx, "decision_id", last.id, [postId]);
  if (decided.edited.length > 0) return { result: "applied", edited: true, detail: EDITED_SINCE };
  if (former === true) await returnErrors(tx, principal, [postId], locked.post.reviewed_at);
  if (!(await restoreFormerState(tx, last.id, [postId])))
    await moveEarlier(tx, holder, last, decided.reviewed_at);
  return { result: "applied" };
}

/** With the old `reviewed_at`, undoing the earlier decision too would be refused as "decided again". */
async function moveEarlier(
  tx: Tx,
  holder: string,
  undone: OpenDecisionRow,
  reviewedAt: Date | null,
): Promise<void> {
  const earlier = await lastDecisionRow(tx, holder, undone.post_id);
  if (!earlier || reviewedAt === null) return;
  if (earlier.decision !== "approve" && earlier.decision !== "reject") return;
  if ((earlier.decision === "approve") === undone.before_approved)
    await moveDecision(tx, earlier.id, reviewedAt);
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

/** Null: the caller may decide. Anyone may change a rule's decision. */
function decidedByOther({ post }: LockedPost, principal: Principal): string | null {
  if (post.approved === null || post.reviewed_by_member === null) return null;
  if (post.reviewed_by_member === principal.member_id) return null;
  return `Already ${post.approved ? "approved" : "rejected"} by ${post.reviewed_by ?? "somebody else"}`;
}
