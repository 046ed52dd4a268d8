import { newActionId, recordAction } from "#lib/actions/record-action.ts";
import type { Actor } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { readPosts } from "#lib/posts/read-posts.ts";
import type { PostChange, ReviewAnswer } from "#lib/posts/change-schema.ts";
import { serializeReview } from "#lib/posts/serialize.ts";
import { decideLocked, lockForReview, type Decided, type LockedPost } from "./decide-posts.ts";
import { insertDecision } from "./decision-sql.ts";
import { leaseHolderOf } from "./deck.ts";
import { formerState } from "./former-state.ts";
import { inTransaction } from "#lib/transaction.ts";
import { writeNoteRows, type ReviewRow } from "./sql.ts";
import { decide, EXPECTED_STATE, type Verdict } from "./state.ts";

/**
 * Changes decision, note and spam score as far as given, with one history line.
 *
 * @throws post_not_found, wrong_state, post_edited, post_erased (nothing is changed)
 */
export async function reviewPost(actor: Actor, id: number, change: PostChange): Promise<ReviewAnswer> {
  return inTransaction(async (tx) => {
    const [locked] = await lockForReview(tx, actor, [id]);
    if (!locked) throw new ApiError("post_not_found");
    const decision_id = newActionId(actor);
    const line = { details: { decision_id } };
    const { decided, edited } = await reviewLocked(tx, actor, locked, change, line);
    if (decided !== null) await recordDecision(tx, actor, decision_id, locked.post, decided);
    else if (edited) await recordNote(tx, actor, decision_id, id);
    const row = (await readPosts(tx, [id])).get(id);
    if (!row) throw new ApiError("post_not_found");
    return serializeReview(row);
  });
}

async function recordDecision(
  tx: Tx,
  actor: Actor,
  id: string,
  { id: post_id, approved: before_approved }: ReviewRow,
  decided: Decided & { verdict: Verdict },
): Promise<void> {
  if (actor.member_id === null) return;
  const { verdict, reviewed_at } = decided;
  const decision = verdict === null ? "unreview" : verdict ? "approve" : "reject";
  const before = formerState(decided);
  await recordAction(tx, actor, { id, kind: "decision", changed: 1, details: { decision }, before });
  await insertDecision(tx, leaseHolderOf(actor), { id, post_id, decision, before_approved, reviewed_at });
}

/** Both texts are in the history line of the post, which forgets them with it. */
async function recordNote(tx: Tx, actor: Actor, id: string, post_id: number): Promise<void> {
  await recordAction(tx, actor, { id, kind: "note", changed: 1, details: { post_id } });
}

interface Reviewed {
  reviewed_at: Date | null;
  /** Note or score changed. */
  edited: boolean;
  /** Null when the verdict stays. */
  decided: (Decided & { verdict: Verdict }) | null;
}

/**
 * `reviewPost` for a locked post.
 *
 * @param line added to the history line
 * @throws wrong_state, post_edited, post_erased
 */
export async function reviewLocked(
  tx: Tx,
  actor: Actor,
  locked: LockedPost,
  change: PostChange,
  line: { note?: string | null; details?: Prisma.InputJsonObject } = {},
): Promise<Reviewed> {
  const { post, state } = locked;
  const { version: asked } = change;
  if (asked !== undefined && asked !== post.version)
    throw new ApiError("post_edited", { version: post.version, asked });
  const edits = editsOf(post, change);
  const outcome =
    change.approved === undefined ? ({ kind: "none" } as const) : decide(state, change.approved);
  if (outcome.kind === "refused") throw new ApiError("wrong_state", { state, expected: EXPECTED_STATE });
  if (outcome.kind === "change" && post.erased && change.approved !== false) {
    throw new ApiError("post_erased");
  }

  let decided: Reviewed["decided"] = null;
  const details = { ...line.details, ...edits.details };
  const note = line.note ?? edits.note;
  if (outcome.kind === "change" && change.approved !== undefined) {
    const options = { note, ...(Object.keys(details).length > 0 ? { details } : {}) };
    const verdict = change.approved;
    decided = { ...(await decideLocked(tx, actor, [locked], verdict, options)), verdict };
  } else if (edits.action !== null) {
    await recordEvents(tx, actor, [
      { post_id: post.id, action: edits.action, from_state: state, to_state: state, note, details },
    ]);
  }
  if (edits.action !== null) await writeNoteRows(tx, [post.id], edits.write);
  const reviewed_at = decided === null ? post.reviewed_at : decided.reviewed_at;
  return { reviewed_at, edited: edits.action !== null, decided };
}

interface Edits {
  /** Null when neither changes. */
  action: "note" | "score" | null;
  note: string | null;
  write: { reviewer_notes?: string | null; manual_spam_score?: number | null };
  details: Prisma.InputJsonObject;
}

function editsOf(post: ReviewRow, change: PostChange): Edits {
  const { reviewer_notes: notes, manual_spam_score: score } = change;
  const noted = notes !== undefined && notes !== post.reviewer_notes;
  const scored = score !== undefined && score !== post.manual_spam_score;
  const scoreLine = `Spam score ${post.manual_spam_score ?? "none"} → ${score ?? "none"}`;
  return {
    action: noted ? "note" : scored ? "score" : null,
    note: noted ? notes : scored ? scoreLine : null,
    write: { ...(noted ? { reviewer_notes: notes } : {}), ...(scored ? { manual_spam_score: score } : {}) },
    details: {
      ...(noted ? { reviewer_notes: { from: post.reviewer_notes, to: notes } } : {}),
      ...(scored ? { manual_spam_score: { from: post.manual_spam_score, to: score } } : {}),
    },
  };
}
