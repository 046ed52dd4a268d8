import { Prisma, type Tx } from "#lib/base/db.ts";
import type { Verdict } from "./state.ts";

export interface ReviewRow {
  id: number;
  approved: boolean | null;
  reviewed_at: Date | null;
  reviewed_by: string | null;
  reviewed_by_member: number | null;
  reviewer_notes: string | null;
  manual_spam_score: number | null;
  auto_reject_reason: string | null;
  reject_reason_id: number | null;
  /** Rises with each edit. */
  version: number;
  /** Of the last review. */
  reviewed_version: number;
  /** Its own server has shown it, or one that was asked instead. */
  seen_at_source: boolean;
  /** Deleted at its own server; there is nothing left to review. */
  erased: boolean;
}

/** In order of id and before queue entries, so that bulk changes cannot deadlock. */
export async function lockPostRows(tx: Tx, ids: number[]): Promise<ReviewRow[]> {
  return tx.$queryRaw<ReviewRow[]>`
    SELECT id, approved, reviewed_at, reviewed_by, reviewed_by_member, reviewer_notes, manual_spam_score, auto_reject_reason,
           reject_reason_id, version, reviewed_version, from_home OR confirmed_at IS NOT NULL AS seen_at_source, erased_at IS NOT NULL AS erased
      FROM post WHERE id = ANY (${ids}::int[])
     ORDER BY id FOR NO KEY UPDATE`;
}

export interface VerdictWrite {
  verdict: Verdict;
  reviewed_by: string;
  reviewed_by_member: number | null;
  /** The change that records it; null if none does. */
  change: string | null;
  /** Undefined: unchanged. */
  auto_reject_reason: string | null | undefined;
  /** Of a rejection by a reviewer. */
  reject_reason_id: number | null;
}

/**
 * Also deletes the leases. Uses the database's clock after locking, so that the later of two reviewers has the
 * later time.
 *
 * @returns that time; null when posts become unreviewed
 */
export async function writeVerdictRows(tx: Tx, ids: number[], write: VerdictWrite): Promise<Date | null> {
  const { verdict, reviewed_by, reviewed_by_member, change, auto_reject_reason, reject_reason_id } = write;
  const reason =
    auto_reject_reason === undefined
      ? Prisma.empty
      : Prisma.sql`, auto_reject_reason = ${auto_reject_reason}::text`;
  const rows = await tx.$queryRaw<{ reviewed_at: Date | null }[]>`
    WITH freed AS (DELETE FROM review_lease WHERE post_id = ANY (${ids}::int[])),
    decided AS MATERIALIZED (SELECT clock_timestamp() AS at),
    recorded AS (
      UPDATE change_item SET reviewed_at = CASE WHEN ${verdict}::boolean IS NOT NULL THEN decided.at END
        FROM decided WHERE change_id = ${change}::uuid)
    UPDATE post p
       SET approved = ${verdict}::boolean,
           reviewed_at = CASE WHEN ${verdict}::boolean IS NOT NULL THEN decided.at END,
           approved_at = CASE WHEN ${verdict}::boolean THEN decided.at END,
           reviewed_by = CASE WHEN ${verdict}::boolean IS NOT NULL THEN ${reviewed_by}::text END,
           reviewed_by_member = CASE WHEN ${verdict}::boolean IS NOT NULL THEN ${reviewed_by_member}::int END,
           reject_reason_id = CASE WHEN NOT ${verdict}::boolean THEN ${reject_reason_id}::int END,
           reviewed_version = p.version, updated_at = now() ${reason}
      FROM decided
     WHERE p.id = ANY (${ids}::int[])
    RETURNING p.reviewed_at`;
  return rows[0]?.reviewed_at ?? null;
}

/** Undefined: unchanged. */
export async function writeNoteRows(
  tx: Tx,
  ids: number[],
  write: Partial<Pick<ReviewRow, "reviewer_notes" | "manual_spam_score" | "reject_reason_id">>,
): Promise<void> {
  await tx.post.updateMany({ where: { id: { in: ids } }, data: { ...write, updated_at: new Date() } });
}

/** Whether an edit was stored after this time. */
export async function wasEditedAfter(tx: Tx, postId: number, time: string): Promise<boolean> {
  const line = await tx.post_event.findFirst({
    where: { post_id: postId, action: "edit", at: { gt: time } },
    select: { id: true },
  });
  return line !== null;
}

/** Conditions on a post `p` and a history line `e`: the line changed the column, and no later change did. */
const isUnchanged = {
  reviewer_notes: Prisma.sql`(e.details ? 'reviewer_notes'
    AND p.reviewer_notes IS NOT DISTINCT FROM e.details -> 'reviewer_notes' ->> 'to')`,
  manual_spam_score: Prisma.sql`(e.details ? 'manual_spam_score'
    AND p.manual_spam_score IS NOT DISTINCT FROM (e.details -> 'manual_spam_score' ->> 'to')::int)`,
  // Of a rejection that stands. A decision restores the review before it as a whole.
  reject_reason_id: Prisma.sql`(e.details ? 'reject_reason_id' AND NOT p.approved AND p.auto_reject_reason IS NULL
    AND p.reject_reason_id IS NOT DISTINCT FROM (e.details -> 'reject_reason_id' ->> 'to')::int)`,
};

const isAnyUnchanged = Prisma.sql`(${Prisma.join(Object.values(isUnchanged), " OR ")})`;

/**
 * Value of a column before the history line `e` of post `p`. Changes just before `e` that were undone since do not count:
 * a decision can be undone before the note that replaced its note.
 */
const formerValue = (column: keyof typeof isUnchanged): Prisma.Sql => Prisma.sql`(
  SELECT first.details -> ${column}::text ->> 'from' FROM post_event first
   WHERE first.post_id = p.id AND first.id <= e.id AND first.details ? ${column}::text
     AND NOT EXISTS (
       SELECT FROM post_event kept
        WHERE kept.post_id = p.id AND kept.id >= first.id AND kept.id < e.id AND kept.details ? ${column}::text
          AND NOT EXISTS (
            SELECT FROM post_event undo
             WHERE undo.post_id = p.id AND undo.id > kept.id
               AND undo.details ->> 'undoes' IN (kept.details ->> 'decision_id', kept.details ->> 'batch_id')))
   ORDER BY first.id LIMIT 1)`;

/**
 * Notes and scores that were changed again stay.
 *
 * @param id of the decision or batch, in the `details` of history lines
 * @returns number of posts with a restored note or score
 */
export async function restoreNotes(tx: Tx, id: string, postIds: number[]): Promise<number> {
  return tx.$executeRaw`
    UPDATE post p SET updated_at = now(),
           reviewer_notes = CASE WHEN ${isUnchanged.reviewer_notes}
                                 THEN ${formerValue("reviewer_notes")} ELSE reviewer_notes END,
           manual_spam_score = CASE WHEN ${isUnchanged.manual_spam_score}
                                    THEN ${formerValue("manual_spam_score")}::int ELSE manual_spam_score END,
           reject_reason_id = CASE WHEN ${isUnchanged.reject_reason_id}
                                   THEN ${formerValue("reject_reason_id")}::int ELSE reject_reason_id END
      FROM post_event e
     WHERE p.id = ANY (${postIds}::int[]) AND e.post_id = p.id AND ${id} IN (e.details ->> 'decision_id', e.details ->> 'batch_id')
       AND ${isAnyUnchanged}`;
}
