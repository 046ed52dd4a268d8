import { randomUUID } from "node:crypto";
import { toIso } from "#lib/base/clock.ts";
import type { Prisma, Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { PostChange, ReviewAnswer } from "./change-schema.ts";
import { changesOf, decide, detailsOf, lockForReview, type LockedPost } from "./decide.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import { writeReviews, type ReviewRow } from "./sql.ts";
import { EXPECTED_STATE } from "./state.ts";

/**
 * Changes decision, reason, note and spam score, as far as they are given, with one history line.
 *
 * @throws post_not_found, wrong_state, post_edited, post_erased, validation (nothing is changed)
 */
export async function reviewPost(actor: Actor, id: number, change: PostChange): Promise<ReviewAnswer> {
  await requireRejectReasons([change]);
  return inTransaction(async (tx) => {
    const [locked] = await lockForReview(tx, [id]);
    if (!locked) throw new ApiError("post_not_found");
    requireRejection(locked, change);
    const line: Line =
      change.approved === undefined ? {} : { details: { decision_id: randomUUID() }, undoable: true };
    return answerOf((await reviewLocked(tx, actor, locked, change, line)) ?? locked);
  });
}

function requireRejection({ post }: LockedPost, change: PostChange): void {
  if (change.reject_reason == null) return;
  const { approved = post.approved } = change;
  if (approved !== false) throw validationError([{ path: "reject_reason", message: "needs a rejection" }]);
  if (post.approved === false && post.auto_reject_reason !== null)
    throw validationError([
      { path: "reject_reason", message: "is for rejections by reviewers; a filter rejected this post" },
    ]);
}

function answerOf({ post, state }: LockedPost): ReviewAnswer {
  return {
    id: post.id,
    post_id: post.uri,
    approved: post.approved,
    reviewed_at: toIso(post.reviewed_at),
    queue_status: state === "unreviewed" || state === "rejected" ? null : state,
    reviewer_notes: post.reviewer_notes,
    reject_reason: post.reject_reason_id,
    manual_spam_score: post.manual_spam_score,
    approved_at: toIso(post.approved_at),
  };
}

/** What a caller adds to the history line. */
export interface Line {
  note?: string | null;
  details?: Prisma.InputJsonObject;
  undoable?: true;
}

/**
 * `reviewPost` for a locked post.
 *
 * @returns the post after a change; null if nothing changed
 * @throws wrong_state, post_edited, post_erased (before any write)
 */
export async function reviewLocked(
  tx: Tx,
  actor: Actor,
  locked: LockedPost,
  change: PostChange,
  { note: given = null, details = {}, ...line }: Line,
): Promise<LockedPost | null> {
  const { post, state } = locked;
  const { approved, version: asked, reject_reason, reviewer_notes, manual_spam_score: score } = change;
  if (asked !== undefined && asked !== post.version)
    throw new ApiError("post_edited", { version: post.version, asked });
  const fields = { reviewer_notes, manual_spam_score: score };
  const note = given ?? noteOf(post, fields);
  if (approved !== undefined) {
    const options = { note, details, reject_reason, ...fields, ...line };
    const { changed, unchanged } = await decide(tx, actor, [locked], approved, options);
    if (changed[0] !== undefined) return changed[0];
    const why = unchanged[0]?.why;
    if (why === "refused") throw new ApiError("wrong_state", { state, expected: EXPECTED_STATE });
    if (why === "erased") throw new ApiError("post_erased");
  }
  const isRejection = post.approved === false && post.auto_reject_reason === null;
  const edits = { ...fields, reject_reason_id: isRejection ? reject_reason : undefined };
  const edited = changesOf(post, edits);
  const [first] = Object.keys(edited);
  if (first === undefined) return null;
  const action = first === "manual_spam_score" && !("reject_reason_id" in edited) ? "score" : "note";
  const event = { post_id: post.id, action, from_state: state, to_state: state, note };
  const [after] = await writeReviews(tx, actor, [{ ...event, ...detailsOf({ ...details, ...edited }) }], {
    fields: edits,
    ...line,
  });
  return { post: after ?? post, state };
}

/** Note of the history line: the new note of the post, else the change of its score. */
function noteOf(
  post: ReviewRow,
  fields: Pick<PostChange, "reviewer_notes" | "manual_spam_score">,
): string | null {
  const changes = changesOf(post, fields);
  if ("reviewer_notes" in changes) return fields.reviewer_notes ?? null;
  if (!("manual_spam_score" in changes)) return null;
  return `Spam score ${post.manual_spam_score ?? "none"} → ${fields.manual_spam_score ?? "none"}`;
}
