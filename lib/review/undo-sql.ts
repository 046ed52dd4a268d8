import { Prisma, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import type { Verdict } from "./state.ts";

/* An undo reads history lines that have `before`, at most seven days old. */

const isRecent = Prisma.sql`e.at > now() - interval '7 days'`;

/** A history line to undo, and what stands against it. Each post of a batch has one. */
export interface UndoLine {
  id: bigint;
  post_id: number;
  action: string;
  decision_id: string | null;
  /** The verdict before the decision. */
  former: Verdict;
  /** Reason of the error that the queue entry had; null without one. */
  reason: string | null;
  /**
   * Null: the undo restores the post. `edited`: it makes the post unreviewed. Otherwise the post stays: decided `again`,
   * `refused` by its state, or `erased`.
   */
  limit: "again" | "refused" | "erased" | "edited" | null;
}

/**
 * Lines of a decision or a batch, in order of post id. Lock the posts before.
 *
 * @param postId of a decision; null for a batch
 */
export function readUndoLines(tx: Tx, id: string, postId: number | null): Promise<UndoLine[]> {
  const wanted =
    postId === null ? partOf(id) : Prisma.sql`e.post_id = ${postId} AND e.details ->> 'decision_id' = ${id}`;
  return tx.$queryRaw<UndoLine[]>`
    SELECT part.id, part.post_id, part.action, part.decision_id, part.former, part.reason, CASE
             WHEN p.reviewed_at IS DISTINCT FROM part.reviewed_at THEN 'again'
             WHEN part.former IS NOT TRUE
                  AND (q.state IN ('reserved', 'delivered') OR q.state = 'error' AND part.former IS NULL) THEN 'refused'
             WHEN p.erased_at IS NOT NULL AND part.former IS DISTINCT FROM false THEN 'erased'
             WHEN part.former AND p.version <> part.version THEN 'edited'
           END AS "limit"
      FROM (SELECT e.id, e.post_id, e.action, e.details ->> 'decision_id' AS decision_id,
                   (e.before ->> 'approved')::boolean AS former, (e.before ->> 'version')::int AS version,
                   e.before #>> '{entry,error_reason}' AS reason,
                   -- The post's time of review after this line. If the post has another one, it was decided again.
                   CASE WHEN e.from_state = e.to_state THEN (e.before ->> 'reviewed_at')::timestamptz
                        WHEN e.to_state <> 'unreviewed' THEN e.at END AS reviewed_at
              FROM post_event e WHERE ${wanted} AND e.before IS NOT NULL) part
      LEFT JOIN post p ON p.id = part.post_id LEFT JOIN queue_entry q ON q.post_id = part.post_id
     ORDER BY part.post_id`;
}

/** Index post_event_batch_idx. */
const partOf = (batch: string) =>
  Prisma.sql`e.details ->> 'batch_id' = ${batch} AND e.post_id <> 0 AND e.action <> 'error'`;

/** Ids of the posts that a batch has changed. */
export async function batchPosts(tx: Tx, batch: string): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM post_event e WHERE ${partOf(batch)} AND e.before IS NOT NULL`;
  return rows.map((row) => row.post_id);
}

const isHead = (batch: string) => Prisma.sql`e.post_id = 0 AND e.details ->> 'batch' = ${batch}`;

/** The decision of a batch: approve or reject. Null for an unknown or an old one. */
export async function findBatch(tx: Tx, batch: string): Promise<string | null> {
  const rows = await tx.$queryRaw<{ decision: string }[]>`
    SELECT e.details ->> 'decision' AS decision FROM post_event e
     WHERE ${isHead(batch)} AND e.action = 'batch' AND ${isRecent}`;
  return rows[0]?.decision ?? null;
}

/** Locks a batch. Lock its posts before, as a deletion does. @returns whether it can still be undone */
export async function lockOpenBatch(tx: Tx, batch: string): Promise<boolean> {
  await tx.$executeRaw`SELECT FROM post_event e WHERE ${isHead(batch)} AND e.action = 'batch' FOR UPDATE`;
  const undone = await tx.$queryRaw<object[]>`
    SELECT FROM post_event e WHERE ${isHead(batch)} AND e.action = 'batch_undo' LIMIT 1`;
  return undone.length === 0;
}

/** Id of the caller's last decision on a post that was not undone, or null. Lock the post before. */
export async function findLastDecision(
  tx: Tx,
  owner: Pick<Actor, "member_id" | "key_id">,
  postId: number,
): Promise<string | null> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT e.details ->> 'decision_id' AS id FROM post_event e
     WHERE e.post_id = ${postId} AND e.before IS NOT NULL AND e.details ? 'decision_id' AND ${isRecent}
       AND e.member_id = ${owner.member_id} AND e.api_key_id IS NOT DISTINCT FROM ${owner.key_id}::int
       AND NOT EXISTS (SELECT FROM post_event undo WHERE undo.post_id = e.post_id AND undo.id > e.id
                        AND undo.details ->> 'undoes' = e.details ->> 'decision_id')
     ORDER BY e.id DESC LIMIT 1`;
  return rows[0]?.id ?? null;
}

/**
 * Restores reviewer, times and reasons of posts whose verdict and queue entry were restored. With its former `reviewed_at`,
 * an earlier decision on the post can be undone as well.
 */
export async function writeFormerReviews(tx: Tx, lines: readonly bigint[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.$executeRaw`
    UPDATE post p SET reviewed_at = b.reviewed_at, reviewed_by = b.reviewed_by,
           reviewed_by_member = b.reviewed_by_member, auto_reject_reason = b.auto_reject_reason,
           reject_reason_id = b.reject_reason_id,
           approved_at = CASE WHEN p.approved THEN coalesce(
             (SELECT approved_at FROM queue_entry WHERE post_id = p.id), p.approved_at) END
      FROM post_event e, LATERAL jsonb_to_record(e.before)
             AS b (reviewed_at timestamptz, reviewed_by text, reviewed_by_member int, auto_reject_reason text,
                  reject_reason_id int)
     WHERE e.id = ANY (${lines}::bigint[]) AND p.id = e.post_id`;
}

/** Conditions on a post `p` and a line `e`: the line changed the column, and no later change did. */
const isUnchanged = {
  reviewer_notes: Prisma.sql`(e.details ? 'reviewer_notes'
    AND p.reviewer_notes IS NOT DISTINCT FROM e.details -> 'reviewer_notes' ->> 'to')`,
  manual_spam_score: Prisma.sql`(e.details ? 'manual_spam_score'
    AND p.manual_spam_score IS NOT DISTINCT FROM (e.details -> 'manual_spam_score' ->> 'to')::int)`,
  // Of a rejection that stands. A decision restores the review before it as a whole.
  reject_reason_id: Prisma.sql`(e.details ? 'reject_reason_id' AND NOT p.approved AND p.auto_reject_reason IS NULL
    AND p.reject_reason_id IS NOT DISTINCT FROM (e.details -> 'reject_reason_id' ->> 'to')::int)`,
};

const formerValue = (column: keyof typeof isUnchanged): Prisma.Sql =>
  Prisma.sql`e.details -> ${column}::text ->> 'from'`;

/** Restores notes, scores and reasons of rejection. Those that were changed again stay. */
export async function restoreNotes(tx: Tx, lines: readonly bigint[]): Promise<void> {
  if (lines.length === 0) return;
  await tx.$executeRaw`
    UPDATE post p SET updated_at = now(),
           reviewer_notes = CASE WHEN ${isUnchanged.reviewer_notes}
                                 THEN ${formerValue("reviewer_notes")} ELSE reviewer_notes END,
           manual_spam_score = CASE WHEN ${isUnchanged.manual_spam_score}
                                    THEN (${formerValue("manual_spam_score")})::int ELSE manual_spam_score END,
           reject_reason_id = CASE WHEN ${isUnchanged.reject_reason_id}
                                   THEN (${formerValue("reject_reason_id")})::int ELSE reject_reason_id END
      FROM post_event e
     WHERE e.id = ANY (${lines}::bigint[]) AND p.id = e.post_id AND (${Prisma.join(Object.values(isUnchanged), " OR ")})`;
}
