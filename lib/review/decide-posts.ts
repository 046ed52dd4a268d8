import type { Prisma, Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { dequeuePosts, enqueuePosts, lockQueueStates } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { recordChange, type ChangeRecord } from "./changes.ts";
import { leaseHolderOf } from "./deck.ts";
import { leaseCards } from "./deck-sql.ts";
import { lockPostRows, writeNoteRows, writeVerdictRows, type ReviewRow } from "./sql.ts";
import type { ItemLimit } from "./undo-sql.ts";
import { decide, EXPECTED_STATE, reviewStateOf, type ReviewState, type Verdict } from "./state.ts";

export interface DecideOptions {
  note?: string | null;
  details?: Prisma.InputJsonObject;
  /** The decision comes from a rule. */
  source?: "filter";
  /** Name of the rule; null removes it, when a rule's rejection is undone. */
  auto_reject_reason?: string | null;
  /** Id of the reason of a reviewer's rejection. */
  reject_reason?: number | null;
  /** Restores an earlier verdict: a rule's rejection keeps its `auto_reject_reason`. */
  undoes?: true;
  action?: string;
  /** New note of every changed post. */
  reviewer_notes?: string | null;
  /** To record, with the posts that change, for an undo (undo-posts.ts). */
  record?: Omit<ChangeRecord, "posts">;
  /** Called after locking; false: the post stays unchanged. */
  only?: (post: ReviewRow, state: ReviewState) => boolean;
}

export type Unchanged = { id: number } & (
  | { why: "missing" }
  | { why: "none" | "refused" | "erased" | "skipped"; state: ReviewState; post: ReviewRow }
);

export const EDITED_SINCE = "Edited since: it is unreviewed";

/** The reason that an undo gives for a post that it left unchanged. */
export const undoLimitOf = {
  missing: "deleted",
  erased: "erased",
  skipped: "decided_again",
  none: "decided_again",
  refused: "handed_out",
} as const satisfies Record<Unchanged["why"], ItemLimit>;

/** For the answer of a batch. */
export function unchangedReason(unchanged: Unchanged): string {
  const state = unchanged.why === "missing" ? null : unchanged.state;
  if (unchanged.why !== "none") return limitReason(undoLimitOf[unchanged.why], state);
  return state === "rejected"
    ? "Already rejected"
    : state === "unreviewed"
      ? "Not reviewed"
      : "Already approved";
}

/** For the answer of a batch or an undo. @param state null for a deleted post */
export function limitReason(limit: ItemLimit, state: ReviewState | null): string {
  if (limit === "deleted") return new ApiError("post_not_found").message;
  if (limit === "erased") return new ApiError("post_erased").message;
  if (limit !== "handed_out" || state === null) return "Decided again since";
  return new ApiError("wrong_state", { state, expected: EXPECTED_STATE }).message;
}

export interface Decided {
  changed: { id: number; from: ReviewState; before: ReviewRow }[];
  unchanged: Unchanged[];
  /** Database time; null when nothing changed or posts became unreviewed. */
  reviewed_at: Date | null;
}

/** Maximum of history lines in one statement. */
const EVENTS_AT_ONCE = 2000;

/** Cards that a desk holds at most. */
const MAX_RETURNED = 20;

export interface LockedPost {
  post: ReviewRow;
  state: ReviewState;
}

/** Posts before queue entries, in order of id. Leaves out posts that do not exist. */
export async function lockForReview(tx: Tx, ids: number[]): Promise<LockedPost[]> {
  const posts = await lockPostRows(tx, ids);
  const queue = await lockQueueStates(
    tx,
    posts.map((post) => post.id),
  );
  return posts.map((post) => ({ post, state: reviewStateOf(post.approved, queue.get(post.id) ?? null) }));
}

/** A refused post does not stop the others. */
export async function decidePosts(
  tx: Tx,
  actor: Actor,
  ids: number[],
  verdict: Verdict,
  options: DecideOptions = {},
): Promise<Decided> {
  const unique = [...new Set(ids)];
  const locked = await lockForReview(tx, unique);
  const result = await decideLocked(tx, actor, locked, verdict, options);
  const found = new Set(locked.map(({ post }) => post.id));
  for (const id of unique) if (!found.has(id)) result.unchanged.push({ id, why: "missing" });
  return result;
}

interface Judged extends Omit<Decided, "reviewed_at"> {
  queue: { enter: number[]; leave: number[] };
}

/** Counts what a decision would change; nothing is written. */
export function judge(locked: LockedPost[], verdict: Verdict, only?: DecideOptions["only"]): Judged {
  const judged: Judged = { changed: [], unchanged: [], queue: { enter: [], leave: [] } };
  for (const { post, state } of locked) {
    const outcome = decide(state, verdict);
    if (outcome.kind !== "change") judged.unchanged.push({ id: post.id, why: outcome.kind, state, post });
    else if (post.erased && verdict !== false)
      judged.unchanged.push({ id: post.id, why: "erased", state, post });
    else if (only && !only(post, state)) judged.unchanged.push({ id: post.id, why: "skipped", state, post });
    else {
      judged.changed.push({ id: post.id, from: state, before: post });
      if (outcome.queue !== "stay") judged.queue[outcome.queue].push(post.id);
    }
  }
  return judged;
}

/**
 * Every review change goes through here.
 *
 * @param locked from `lockForReview` in this transaction
 */
export async function decideLocked(
  tx: Tx,
  actor: Actor,
  locked: LockedPost[],
  verdict: Verdict,
  options: DecideOptions = {},
): Promise<Decided> {
  const { queue, ...judged } = judge(locked, verdict, options.only);
  const result: Decided = { ...judged, reviewed_at: null };
  if (result.changed.length === 0) return result;

  const changed = result.changed.map((each) => each.id);
  if (options.record !== undefined) await recordChange(tx, actor, { ...options.record, posts: changed });
  result.reviewed_at = await writeVerdictRows(tx, changed, {
    verdict,
    reviewed_by: actor.label,
    reviewed_by_member: actor.member_id,
    change: options.record?.id ?? null,
    // A rejection by a person replaces a rule's rejection.
    auto_reject_reason:
      options.auto_reject_reason === undefined && verdict === false && !options.undoes
        ? null
        : options.auto_reject_reason,
    reject_reason_id: options.reject_reason ?? null,
  });
  if (options.reviewer_notes !== undefined) {
    await writeNoteRows(tx, changed, { reviewer_notes: options.reviewer_notes });
  }
  const { leave, enter } = queue;
  if (leave.length > 0) await dequeuePosts(tx, leave);
  if (enter.length > 0 && result.reviewed_at !== null) await enqueuePosts(tx, enter, result.reviewed_at);
  await recordVerdicts(tx, actor, result.changed, verdict, options);
  const returns = verdict === null && options.undoes && actor.source === "screen";
  // The desk shows them again to the member who decided them. When they are more than a desk holds, all desks show them.
  if (returns && changed.length <= MAX_RETURNED) await leaseCards(tx, leaseHolderOf(actor), changed);
  return result;
}

async function recordVerdicts(
  tx: Tx,
  actor: Actor,
  changed: Decided["changed"],
  verdict: Verdict,
  options: DecideOptions,
): Promise<void> {
  const { reviewer_notes: to, reject_reason = null } = options;
  const reason = (before: ReviewRow) =>
    reject_reason === null ? {} : { reject_reason_id: { from: before.reject_reason_id, to: reject_reason } };
  const lines = changed.map(({ id, from, before }) => {
    const outcome = decide(from, verdict);
    // For the log and for an undo.
    const noted =
      to === undefined || to === before.reviewer_notes
        ? {}
        : { reviewer_notes: { from: before.reviewer_notes, to } };
    const details = { ...options.details, ...noted, ...reason(before) };
    return {
      post_id: id,
      action: options.action ?? (outcome.kind === "change" ? outcome.action : "review"),
      from_state: from,
      to_state: outcome.kind === "change" ? outcome.to : from,
      note: options.note ?? null,
      ...(Object.keys(details).length > 0 ? { details } : {}),
    };
  });
  for (let i = 0; i < lines.length; i += EVENTS_AT_ONCE) {
    await recordEvents(tx, actor, lines.slice(i, i + EVENTS_AT_ONCE), options.source);
  }
}

/**
 * @param options.source `filter`: a rule rejects; `reason` is stored as `auto_reject_reason`
 *
 * @param options.only states to change; default: all that the state table allows
 * @returns ids of the rejected posts
 */
export async function rejectPosts(
  tx: Tx,
  actor: Actor,
  ids: number[],
  options: { reason: string; source?: "filter"; only?: readonly ReviewState[] },
): Promise<number[]> {
  const { reason, source, only } = options;
  const { changed } = await decidePosts(tx, actor, ids, false, {
    note: reason,
    ...(source === "filter" ? { source, action: "auto_reject", auto_reject_reason: reason } : {}),
    ...(only ? { only: (_post, state) => only.includes(state) } : {}),
  });
  return changed.map((post) => post.id);
}
