import type { Prisma, Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { enqueuePosts, lockQueueStates } from "#lib/queue/queue-entries.ts";
import { lockPosts, writeReviews, type Fields, type ReviewRow } from "./sql.ts";
import {
  EXPECTED_STATE,
  outcomeOf,
  reviewStateOf,
  type Outcome,
  type ReviewState,
  type Verdict,
} from "./state.ts";

export interface DecideOptions {
  note?: string | null;
  details?: Prisma.InputJsonObject;
  /** `filter`: a rule decided. */
  source?: "filter";
  /** Name of the rule; null removes it, when a rule's rejection is undone. */
  auto_reject_reason?: string | null;
  /** Id of the reason of a reviewer's rejection. */
  reject_reason?: number | null | undefined;
  /** Restores an earlier verdict, so a rejection keeps its `auto_reject_reason`. */
  undoes?: true;
  /** Action of the history lines. Default: that of the state table. */
  action?: string;
  /** New note of every changed post. */
  reviewer_notes?: string | null | undefined;
  manual_spam_score?: number | null | undefined;
  /** The history lines keep the review before; their `details` name the decision or the batch (undo.ts). */
  undoable?: true;
  /** Called after locking; false: the post stays unchanged. */
  only?: (post: ReviewRow, state: ReviewState) => boolean;
}

export interface LockedPost {
  post: ReviewRow;
  state: ReviewState;
}

export interface Unchanged extends LockedPost {
  why: "none" | "refused" | "erased" | "skipped";
}

interface Changed extends LockedPost {
  to: Extract<Outcome, { kind: "change" }>;
}

export interface Decided {
  /** Changed posts as they are now. */
  changed: LockedPost[];
  unchanged: Unchanged[];
}

/**
 * Locks posts, then their queue entries, each in order of id, so that bulk changes cannot deadlock. Only approved posts have
 * an entry, and none gets one without the lock of its post. Leaves out posts that do not exist.
 */
export async function lockForReview(tx: Tx, ids: readonly number[]): Promise<LockedPost[]> {
  const posts = await lockPosts(tx, ids);
  const approved = posts.filter((post) => post.approved).map((post) => post.id);
  const queue = approved.length > 0 ? await lockQueueStates(tx, approved) : null;
  return posts.map((post) => ({ post, state: reviewStateOf(post.approved, queue?.get(post.id) ?? null) }));
}

/** Sorts posts into those that a decision changes and those that it leaves; nothing is written. */
export function judge(
  locked: readonly LockedPost[],
  verdict: Verdict,
  only?: DecideOptions["only"],
): { changed: Changed[]; unchanged: Unchanged[] } {
  const changed: Changed[] = [];
  const unchanged: Unchanged[] = [];
  for (const { post, state } of locked) {
    const to = outcomeOf(state, verdict);
    if (to.kind !== "change") unchanged.push({ post, state, why: to.kind });
    else if (post.erased && verdict !== false) unchanged.push({ post, state, why: "erased" });
    else if (only && !only(post, state)) unchanged.push({ post, state, why: "skipped" });
    else changed.push({ post, state, to });
  }
  return { changed, unchanged };
}

/**
 * Writes a verdict on one post or many: posts, queue entries and history. Every change of a review goes through here. A
 * refused post does not stop the others, and one that does not exist is left out.
 *
 * @param posts ids, or locked posts of this transaction
 */
export async function decide(
  tx: Tx,
  actor: Actor,
  posts: readonly number[] | readonly LockedPost[],
  verdict: Verdict,
  options: DecideOptions = {},
): Promise<Decided> {
  const locked = areIds(posts) ? await lockForReview(tx, posts) : posts;
  const { changed, unchanged } = judge(locked, verdict, options.only);
  if (changed.length === 0) return { changed: [], unchanged };

  const { note = null, reject_reason = null, reviewer_notes, manual_spam_score } = options;
  // A rejection by a person replaces that of a rule.
  const rule = verdict === false && !options.undoes ? null : undefined;
  const fields = { reviewer_notes, manual_spam_score, reject_reason_id: reject_reason ?? undefined };
  const lines = changed.map(({ post, state, to }) => ({
    post_id: post.id,
    action: options.action ?? to.action,
    from_state: state,
    to_state: to.to,
    note,
    ...detailsOf({ ...options.details, ...changesOf(post, fields) }),
  }));
  const moved = (queue: "enter" | "leave") =>
    changed.filter(({ to }) => to.queue === queue).map(({ post }) => post.id);
  const { auto_reject_reason = rule } = options;
  const rows = await writeReviews(tx, actor, lines, {
    verdict,
    fields: { ...fields, auto_reject_reason, reject_reason_id: verdict === false ? reject_reason : null },
    leave: moved("leave"),
    undoable: options.undoable,
    source: options.source,
  });
  const [row] = rows;
  const enter = moved("enter");
  if (enter.length > 0 && row?.reviewed_at) await enqueuePosts(tx, enter, row.reviewed_at);
  const after = new Map(rows.map((post) => [post.id, post]));
  return {
    changed: changed.map(({ post, to }) => ({ post: after.get(post.id) ?? post, state: to.to })),
    unchanged,
  };
}

const areIds = (posts: readonly number[] | readonly LockedPost[]): posts is readonly number[] =>
  typeof posts[0] === "number";

/** Fields that change, with their values before and after: for the history and for an undo. */
export function changesOf(
  post: ReviewRow,
  fields: Omit<Fields, "auto_reject_reason">,
): Prisma.InputJsonObject {
  const names = ["reviewer_notes", "manual_spam_score", "reject_reason_id"] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const to = fields[name];
      return to === undefined || to === post[name] ? [] : [[name, { from: post[name], to }]];
    }),
  );
}

/** `{ details }`, or nothing when there are none. */
export const detailsOf = (details: Prisma.InputJsonObject) =>
  Object.keys(details).length > 0 ? { details } : {};

/** Why a post stayed unchanged, in one sentence. */
export function unchangedReason({ why, state }: Pick<Unchanged, "why" | "state">): string {
  if (why === "erased") return new ApiError("post_erased").message;
  if (why === "refused") return new ApiError("wrong_state", { state, expected: EXPECTED_STATE }).message;
  return state === "rejected"
    ? "Already rejected"
    : state === "unreviewed"
      ? "Not reviewed"
      : "Already approved";
}

/**
 * Rejects posts as a rule does.
 *
 * @param reason name of the rule, stored as `auto_reject_reason`
 * @param only states to change; default: all that the state table allows
 * @returns ids of the rejected posts
 */
export async function rejectPosts(
  tx: Tx,
  actor: Actor,
  ids: number[],
  { reason, only }: { reason: string; only?: readonly ReviewState[] },
): Promise<number[]> {
  const { changed } = await decide(tx, actor, ids, false, {
    note: reason,
    source: "filter",
    action: "auto_reject",
    auto_reject_reason: reason,
    ...(only ? { only: (_post, state) => only.includes(state) } : {}),
  });
  return changed.map(({ post }) => post.id);
}
