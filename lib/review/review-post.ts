import { randomUUID } from "node:crypto";
import type { Prisma, Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { readPosts } from "./read-posts.ts";
import type { PostChange, ReviewAnswer } from "./change-schema.ts";
import { serializeReview } from "./serialize.ts";
import type { ChangeRecord } from "./changes.ts";
import { decideLocked, lockForReview, type LockedPost } from "./decide-posts.ts";
import { requireRejectReasons } from "./reject-reasons.ts";
import { writeNoteRows, type ReviewRow } from "./sql.ts";
import { decide, EXPECTED_STATE } from "./state.ts";

/**
 * Changes decision, reason, note and spam score as far as given, with one history line.
 *
 * @throws post_not_found, wrong_state, post_edited, post_erased, validation (nothing is changed)
 */
export async function reviewPost(actor: Actor, id: number, change: PostChange): Promise<ReviewAnswer> {
  await requireRejectReasons([change]);
  return inTransaction(async (tx) => {
    const [locked] = await lockForReview(tx, [id]);
    if (!locked) throw new ApiError("post_not_found");
    requireRejection(locked, change);
    const record = {
      id: randomUUID(),
      kind: "decision",
      details: { decision: verbOf(change.approved) },
    } as const;
    await reviewLocked(tx, actor, locked, change, record);
    const row = (await readPosts(tx, [id])).get(id);
    if (!row) throw new ApiError("post_not_found");
    return serializeReview(row);
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

const verbOf = (approved: PostChange["approved"]) =>
  approved === true ? "approve" : approved === false ? "reject" : "unreview";

interface Reviewed {
  /** Note, score, or reason without a decision, changed. */
  edited: boolean;
  /** The verdict changed. */
  decided: boolean;
}

/**
 * `reviewPost` for a locked post.
 *
 * @param record recorded when the verdict changes
 * @param line added to the history line
 * @throws wrong_state, post_edited, post_erased
 */
export async function reviewLocked(
  tx: Tx,
  actor: Actor,
  locked: LockedPost,
  change: PostChange,
  record: Omit<ChangeRecord, "posts">,
  line: { note?: string | null; details?: Prisma.InputJsonObject } = { details: { decision_id: record.id } },
): Promise<Reviewed> {
  const { post, state } = locked;
  const { version: asked } = change;
  if (asked !== undefined && asked !== post.version)
    throw new ApiError("post_edited", { version: post.version, asked });
  const outcome =
    change.approved === undefined ? ({ kind: "none" } as const) : decide(state, change.approved);
  const edits = editsOf(post, change, outcome.kind === "change");
  if (outcome.kind === "refused") throw new ApiError("wrong_state", { state, expected: EXPECTED_STATE });
  if (outcome.kind === "change" && post.erased && change.approved !== false) {
    throw new ApiError("post_erased");
  }

  const details = { ...line.details, ...edits.details };
  const note = line.note ?? edits.note;
  if (outcome.kind === "change" && change.approved !== undefined) {
    await decideLocked(tx, actor, [locked], change.approved, {
      ...{ note, details, record },
      reject_reason: change.reject_reason ?? null,
    });
  } else if (edits.action !== null) {
    await recordEvents(tx, actor, [
      { post_id: post.id, action: edits.action, from_state: state, to_state: state, note, details },
    ]);
  }
  if (edits.action !== null) await writeNoteRows(tx, [post.id], edits.write);
  return { edited: edits.action !== null, decided: outcome.kind === "change" };
}

interface Edits {
  /** Null when neither changes. */
  action: "note" | "score" | null;
  note: string | null;
  write: Parameters<typeof writeNoteRows>[2];
  details: Prisma.InputJsonObject;
}

/** @param decides the reason is written with the decision */
function editsOf(post: ReviewRow, change: PostChange, decides: boolean): Edits {
  const { reviewer_notes: notes, manual_spam_score: score, reject_reason: reason } = change;
  const isRejection = !decides && post.approved === false && post.auto_reject_reason === null;
  const reasoned = isRejection && reason !== undefined && reason !== post.reject_reason_id;
  const noted = notes !== undefined && notes !== post.reviewer_notes;
  const scored = score !== undefined && score !== post.manual_spam_score;
  const scoreLine = `Spam score ${post.manual_spam_score ?? "none"} → ${score ?? "none"}`;
  return {
    action: noted || reasoned ? "note" : scored ? "score" : null,
    note: noted ? notes : scored ? scoreLine : null,
    write: {
      ...(noted ? { reviewer_notes: notes } : {}),
      ...(scored ? { manual_spam_score: score } : {}),
      ...(reasoned ? { reject_reason_id: reason } : {}),
    },
    details: {
      ...(noted ? { reviewer_notes: { from: post.reviewer_notes, to: notes } } : {}),
      ...(scored ? { manual_spam_score: { from: post.manual_spam_score, to: score } } : {}),
      ...(reasoned ? { reject_reason_id: { from: post.reject_reason_id, to: reason } } : {}),
    },
  };
}
