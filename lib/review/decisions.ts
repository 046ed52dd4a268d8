import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { changesOf, lockForReview, type LockedPost } from "./decide.ts";
import type { Decision, DecisionResult } from "./decision-schema.ts";
import { leaseHolderOf } from "./deck.ts";
import { leaseCards, skipCard } from "./deck-sql.ts";
import { readPosts } from "./read-posts.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import { reviewLocked, type Line } from "./review-post.ts";
import { wasEditedAfter, writeReviews } from "./sql.ts";
import { findLastDecision, readUndoLines } from "./undo-sql.ts";
import { undoReviews } from "./undo.ts";

type Outcome = Pick<DecisionResult, "result" | "detail" | "code">;

/** Rolls back a decision whose id was applied before. */
class Repeated extends Error {}

const conflict = (detail: string): Outcome => ({ result: "conflict", detail });

/**
 * Applies decisions in order, each in a transaction of its own. Each `id` is applied once: a repeated request gets the
 * stored result.
 *
 * @throws validation: a reason that is unknown or was archived before the decision; nothing is applied
 */
export async function applyDecisions(principal: Principal, decisions: Decision[]): Promise<DecisionResult[]> {
  await requireRejectReasons(decisions, (index) => `decisions.${index}.reject_reason`);
  const outcomes: Outcome[] = [];
  for (const decision of decisions) outcomes.push(await applyDecision(principal, decision));
  const posts = await readPosts(decisions.map((decision) => decision.post_id));
  return decisions.map(({ id, post_id }, i) => ({
    id,
    ...(outcomes[i] as Outcome),
    post: posts.get(post_id) ?? null,
  }));
}

/** Stores the id with its result at the end of the transaction, so that a repeated decision is rolled back. */
async function applyDecision(principal: Principal, decision: Decision): Promise<Outcome> {
  const { id, post_id } = decision;
  const apply = decision.decision === "undo" ? undoDecision : decideCard;
  try {
    return await inTransaction(async (tx) => {
      const [locked] = await lockForReview(tx, [post_id]);
      const outcome: Outcome = locked
        ? await apply(tx, principal, locked, decision)
        : { result: "not_found", detail: "Post not found" };
      const stored = await tx.$executeRaw`
        INSERT INTO decision (id, post_id, result) VALUES (${id}::uuid, ${post_id}, ${JSON.stringify(outcome)}::jsonb)
        ON CONFLICT DO NOTHING`;
      if (stored === 0) throw new Repeated();
      return outcome;
    });
  } catch (error) {
    if (!(error instanceof Repeated)) throw error;
    const { result } = await db.decision.findUniqueOrThrow({ where: { id } });
    const outcome = result as unknown as Outcome;
    return outcome.result === "applied" ? { ...outcome, result: "repeated" } : outcome;
  }
}

async function decideCard(
  tx: Tx,
  principal: Principal,
  locked: LockedPost,
  decision: Decision,
): Promise<Outcome> {
  // A stale card must not overwrite another person's decision.
  const other = decidedByOther(locked, principal);
  if (other !== null) return conflict(other);
  const { post_id, decision: verb, note, reject_reason } = decision;
  if (await isAboutEarlierVersion(tx, locked, decision)) {
    if (locked.state === "unreviewed") await leaseCards(tx, leaseHolderOf(principal), [post_id]);
    return { ...conflict("Edited since it was shown"), code: "edited" };
  }
  if (verb === "skip") return skip(tx, principal, locked, decision);
  try {
    const change = { approved: verb === "approve", reviewer_notes: note ?? undefined, reject_reason };
    await reviewLocked(tx, principal, locked, change, { ...lineOf(decision), undoable: true });
    return { result: "applied" };
  } catch (error) {
    // Thrown before any write, so the transaction can continue.
    if (isRefusal(error)) return conflict(error.message);
    throw error;
  }
}

/** Whether the post was edited after the reviewer read it. A client that names no version read the post at `decided_at`. */
async function isAboutEarlierVersion(tx: Tx, { post }: LockedPost, decision: Decision): Promise<boolean> {
  const { version, decided_at } = decision;
  if (version !== undefined) return version !== post.version;
  return post.version > 1 && decided_at != null && wasEditedAfter(tx, post.id, decided_at);
}

async function skip(
  tx: Tx,
  principal: Principal,
  { post, state }: LockedPost,
  decision: Decision,
): Promise<Outcome> {
  if (state !== "unreviewed")
    return conflict(new ApiError("wrong_state", { state, expected: "unreviewed" }).message);
  await skipCard(tx, leaseHolderOf(principal), post.id);
  const fields = { reviewer_notes: decision.note ?? undefined };
  const { note, details } = lineOf(decision);
  const line = { post_id: post.id, action: "skip", from_state: state, to_state: state, note };
  await writeReviews(tx, principal, [{ ...line, details: { ...details, ...changesOf(post, fields) } }], {
    fields,
    undoable: true,
  });
  return { result: "applied" };
}

function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "wrong_state" || error.code === "post_erased");
}

/** Undoes the caller's last decision on a post and leases its card again. */
async function undoDecision(
  tx: Tx,
  principal: Principal,
  locked: LockedPost,
  decision: Decision,
): Promise<Outcome> {
  const { post_id, undoes } = decision;
  const last = await findLastDecision(tx, principal, post_id);
  if (last === null) return conflict("There is no decision to undo");
  // It may be undone meanwhile, and an undo must not reach an earlier decision.
  if (undoes != null && undoes !== last) return conflict("The decision was changed or undone meanwhile");
  const { note, details } = lineOf(decision);
  const line = { note: note ?? "undone", details: { ...details, undoes: last } };
  const { edited, kept } = await undoReviews(
    tx,
    principal,
    [locked],
    await readUndoLines(tx, last, post_id),
    line,
  );
  const [left] = kept;
  if (left !== undefined) return conflict((left.again && decidedByOther(locked, principal)) || left.detail);
  const [now] = edited;
  return { result: "applied", ...(now === undefined ? {} : { code: "edited", detail: now.detail }) };
}

function lineOf(decision: Decision): Required<Pick<Line, "note" | "details">> {
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

/** Why the caller may not decide: another person did. Null otherwise; anyone may change a rule's decision. */
function decidedByOther({ post }: LockedPost, principal: Principal): string | null {
  if (post.approved === null || post.reviewed_by_member === null) return null;
  if (post.reviewed_by_member === principal.member_id) return null;
  return `Already ${post.approved ? "approved" : "rejected"} by ${post.reviewed_by ?? "somebody else"}`;
}
