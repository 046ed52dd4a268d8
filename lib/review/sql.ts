import { Prisma, type Tx } from "#lib/db.ts";
import type { Verdict } from "./state.ts";

/** The review columns of a post, which this domain writes. */
export interface ReviewRow {
  id: number;
  approved: boolean | null;
  reviewed_at: Date | null;
  reviewed_by: string | null;
  reviewed_by_member: number | null;
  reviewer_notes: string | null;
  manual_spam_score: number | null;
}

/**
 * Locks posts until the transaction ends, in the order of their ids, so that two bulk changes never wait for
 * each other in a ring. Of other streams than `streams` (null: all) none is seen. Queue entries are locked after their posts, everywhere.
 */
export async function lockPostRows(tx: Tx, ids: number[], streams: number[] | null): Promise<ReviewRow[]> {
  return tx.$queryRaw<ReviewRow[]>`
    SELECT id, approved, reviewed_at, reviewed_by, reviewed_by_member, reviewer_notes, manual_spam_score
      FROM post WHERE id = ANY (${ids}::int[]) AND (${streams}::int[] IS NULL OR stream_id = ANY (${streams}::int[]))
     ORDER BY id FOR NO KEY UPDATE`;
}

export interface VerdictWrite {
  verdict: Verdict;
  reviewed_by: string;
  reviewed_by_member: number | null;
  /** Undefined leaves what is there. */
  auto_reject_reason: string | null | undefined;
}

/**
 * Writes a verdict to locked posts and takes their cards back. The time is the database's, read after the locks
 * were got: of two reviewers the later one has the later time. Answers it, null for "back to unreviewed".
 */
export async function writeVerdictRows(tx: Tx, ids: number[], write: VerdictWrite): Promise<Date | null> {
  const { verdict, reviewed_by, reviewed_by_member, auto_reject_reason } = write;
  const reason =
    auto_reject_reason === undefined
      ? Prisma.empty
      : Prisma.sql`, auto_reject_reason = ${auto_reject_reason}::text`;
  const rows = await tx.$queryRaw<{ reviewed_at: Date | null }[]>`
    WITH freed AS (DELETE FROM review_lease WHERE post_id = ANY (${ids}::int[])),
    moment AS MATERIALIZED (SELECT clock_timestamp() AS at)
    UPDATE post p
       SET approved = ${verdict}::boolean,
           reviewed_at = CASE WHEN ${verdict}::boolean IS NOT NULL THEN moment.at END,
           approved_at = CASE WHEN ${verdict}::boolean THEN moment.at END,
           reviewed_by = CASE WHEN ${verdict}::boolean IS NOT NULL THEN ${reviewed_by}::text END,
           reviewed_by_member = CASE WHEN ${verdict}::boolean IS NOT NULL THEN ${reviewed_by_member}::int END,
           updated_at = now() ${reason}
      FROM moment
     WHERE p.id = ANY (${ids}::int[])
    RETURNING p.reviewed_at`;
  return rows[0]?.reviewed_at ?? null;
}

/** Writes note and spam score; undefined leaves what is there. */
export async function writeNoteRows(
  tx: Tx,
  ids: number[],
  write: { reviewer_notes?: string | null | undefined; manual_spam_score?: number | null | undefined },
): Promise<void> {
  await tx.post.updateMany({ where: { id: { in: ids } }, data: { ...write, updated_at: new Date() } });
}
