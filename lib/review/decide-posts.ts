import { allowedStreams, type Actor } from "#lib/auth/principal.ts";
import type { Prisma, Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { dequeuePosts } from "#lib/queue/dequeue-posts.ts";
import { enqueuePosts } from "#lib/queue/enqueue-posts.ts";
import { keepErrorBatch, stampErrorBatch } from "#lib/queue/keep-error-batch.ts";
import { lockQueueStates } from "#lib/queue/lock-queue-states.ts";
import { lockPostRows, writeNoteRows, writeVerdictRows, type ReviewRow } from "./sql.ts";
import { decide, reviewStateOf, type ReviewState, type Verdict } from "./state.ts";

export interface DecideOptions {
  /** Shown on the history line. */
  note?: string | null;
  details?: Prisma.InputJsonObject;
  /** A rule decided, not the actor by themselves. */
  source?: "filter";
  /** Written to the posts: which rule. */
  auto_reject_reason?: string;
  /** Gives back what was before: a rule's rejection stays the rule's. */
  undoes?: true;
  /** Another word than `approve`, `reject`, `unreview` for the history. */
  action?: string;
  /** Replaces the reviewer's note of every changed post. */
  reviewer_notes?: string | null;
  /** The caller keeps what failed posts were by itself. */
  errors_kept?: true;
  /** Posts for which this is false are left alone; asked with everything locked. */
  only?: (post: ReviewRow, state: ReviewState) => boolean;
}

/** Why a post stayed as it was. */
export type Unchanged = { id: number } & (
  { why: "missing" } | { why: "none" | "refused" | "left_alone"; state: ReviewState; post: ReviewRow }
);

export interface Decided {
  changed: { id: number; from: ReviewState; before: ReviewRow }[];
  unchanged: Unchanged[];
  /** When, by the database's clock; null when nothing changed or posts went back to unreviewed. */
  reviewed_at: Date | null;
}

/** History lines written by one statement. */
const EVENTS_AT_ONCE = 2000;

/** A post that nobody else can review or hand out until the transaction ends. */
export interface LockedPost {
  post: ReviewRow;
  state: ReviewState;
}

/**
 * Locks posts, then their queue entries, both in the order of ids; what does not exist, or is out of the actor's
 * reach, is left out.
 */
export async function lockForReview(tx: Tx, actor: Actor, ids: number[]): Promise<LockedPost[]> {
  const posts = await lockPostRows(tx, ids, allowedStreams(actor));
  const queue = await lockQueueStates(
    tx,
    posts.map((post) => post.id),
  );
  return posts.map((post) => ({ post, state: reviewStateOf(post.approved, queue.get(post.id) ?? null) }));
}

/**
 * Gives posts a verdict: locks them, asks the state table, and writes post, queue and history together. Posts
 * are independent: one that is refused stops no other.
 */
export async function decidePosts(
  tx: Tx,
  actor: Actor,
  ids: number[],
  verdict: Verdict,
  options: DecideOptions = {},
): Promise<Decided> {
  const wanted = [...new Set(ids)];
  const locked = await lockForReview(tx, actor, wanted);
  const result = await decideLocked(tx, actor, locked, verdict, options);
  const found = new Set(locked.map(({ post }) => post.id));
  for (const id of wanted) if (!found.has(id)) result.unchanged.push({ id, why: "missing" });
  return result;
}

/** The one place where a review changes anything. `locked` comes from `lockForReview` in this transaction. */
export async function decideLocked(
  tx: Tx,
  actor: Actor,
  locked: LockedPost[],
  verdict: Verdict,
  options: DecideOptions = {},
): Promise<Decided> {
  const result: Decided = { changed: [], unchanged: [], reviewed_at: null };
  const enter: number[] = [];
  const leave: number[] = [];
  for (const { post, state } of locked) {
    const outcome = decide(state, verdict);
    if (outcome.kind !== "change") result.unchanged.push({ id: post.id, why: outcome.kind, state, post });
    else if (options.only && !options.only(post, state)) {
      result.unchanged.push({ id: post.id, why: "left_alone", state, post });
    } else {
      result.changed.push({ id: post.id, from: state, before: post });
      if (outcome.queue === "enter") enter.push(post.id);
      if (outcome.queue === "leave") leave.push(post.id);
    }
  }
  if (result.changed.length === 0) return result;

  const changed = result.changed.map((each) => each.id);
  const failed = result.changed.filter(({ from }) => from === "error").map(({ id }) => id);
  const kept = options.errors_kept ? null : await keepErrorBatch(tx, "review", "", failed);
  result.reviewed_at = await writeVerdictRows(tx, changed, {
    verdict,
    reviewed_by: actor.label,
    reviewed_by_member: actor.member_id,
    // A person who rejects what a rule had rejected once decides anew, and it counts as theirs.
    auto_reject_reason:
      options.auto_reject_reason ?? (verdict === false && !options.undoes ? null : undefined),
  });
  if (options.reviewer_notes !== undefined) {
    await writeNoteRows(tx, changed, { reviewer_notes: options.reviewer_notes });
  }
  if (kept !== null) await stampErrorBatch(tx, kept, result.reviewed_at);
  if (leave.length > 0) await dequeuePosts(tx, leave);
  if (enter.length > 0 && result.reviewed_at !== null) await enqueuePosts(tx, enter, result.reviewed_at);
  await recordVerdicts(tx, actor, result.changed, verdict, options);
  return result;
}

async function recordVerdicts(
  tx: Tx,
  actor: Actor,
  changed: Decided["changed"],
  verdict: Verdict,
  options: DecideOptions,
): Promise<void> {
  const { reviewer_notes: to } = options;
  const lines = changed.map(({ id, from, before }) => {
    const outcome = decide(from, verdict);
    // Before and after, for the log and for an undo, as where a note is written alone.
    const noted =
      to === undefined || to === before.reviewer_notes
        ? {}
        : { reviewer_notes: { from: before.reviewer_notes, to } };
    const details = { ...options.details, ...noted };
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
