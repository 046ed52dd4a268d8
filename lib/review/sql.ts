import { Prisma, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import type { PostEvent } from "#lib/queue/record-event.ts";
import type { post } from "#prisma/generated/client.ts";
import type { Verdict } from "./state.ts";

export interface ReviewRow
  extends
    Pick<
      post,
      "id" | "uri" | "approved" | "reviewed_at" | "reviewed_by" | "reviewed_by_member" | "approved_at"
    >,
    Pick<
      post,
      "reviewer_notes" | "manual_spam_score" | "auto_reject_reason" | "reject_reason_id" | "version"
    > {
  /** Its own server has shown it, or one that was asked instead. */
  seen_at_source: boolean;
  /** Deleted at its own server; there is nothing left to review. */
  erased: boolean;
}

const columns = Prisma.sql`p.id, p.uri, p.approved, p.reviewed_at, p.reviewed_by, p.reviewed_by_member, p.approved_at,
  p.reviewer_notes, p.manual_spam_score, p.auto_reject_reason, p.reject_reason_id, p.version,
  p.from_home OR p.confirmed_at IS NOT NULL AS seen_at_source, p.erased_at IS NOT NULL AS erased`;

/** Locks posts in order of id, which is the order of the rows. */
export function lockPosts(tx: Tx, ids: readonly number[]): Promise<ReviewRow[]> {
  return tx.$queryRaw<ReviewRow[]>`
    SELECT ${columns} FROM post p WHERE id = ANY (${ids}::int[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** Columns of a post beside the verdict. Undefined: unchanged. */
export interface Fields {
  auto_reject_reason?: string | null | undefined;
  reject_reason_id?: number | null | undefined;
  reviewer_notes?: string | null | undefined;
  manual_spam_score?: number | null | undefined;
}

export interface ReviewWrite {
  /** Undefined: unchanged. */
  verdict?: Verdict;
  fields?: Fields;
  /** Posts whose queue entry is deleted. */
  leave?: number[];
  /** The history lines keep the review and the queue entry as they were before, for an undo. */
  undoable?: boolean | undefined;
  source?: "filter" | undefined;
}

/** Columns that a queue entry computes from its post when it enters the queue, so an undo need not restore them. */
const copiedColumns = [
  "post_id",
  "post_created_at",
  "stream_id",
  "author_key",
  "tags",
  "topics",
  "related",
  "missing",
  "holds",
  "confirmed_at",
];

/**
 * Writes reviews and history lines, and deletes leases and queue entries, in one statement. The time is the database's clock
 * after locking, so that the later of two reviewers has the later time.
 *
 * @param lines one for each post; the posts are locked
 * @returns the changed posts
 */
export function writeReviews(
  tx: Tx,
  actor: Actor,
  lines: readonly PostEvent[],
  { verdict, fields = {}, leave = [], undoable = false, source }: ReviewWrite,
): Promise<ReviewRow[]> {
  const sets = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [Prisma.sql`${Prisma.raw(name)} = ${value}`],
  );
  // In review again: decided posts are not checked further, so their pictures may be unchecked.
  if (verdict === null)
    sets.push(Prisma.sql`classified_at = CASE WHEN p.erased_at IS NOT NULL THEN p.classified_at END`);
  if (verdict !== undefined) {
    const at = Prisma.raw(verdict === null ? "NULL" : "decided.at");
    const [by, member] = verdict === null ? [null, null] : [actor.label, actor.member_id];
    sets.push(Prisma.sql`approved = ${verdict}::boolean, reviewed_at = ${at}, reviewed_by = ${by},
      approved_at = ${verdict ? at : null}, reviewed_by_member = ${member}::int, reviewed_version = p.version`);
  }
  const ids = lines.map((line) => line.post_id);
  return tx.$queryRaw<ReviewRow[]>`
    WITH decided AS MATERIALIZED (SELECT clock_timestamp() AS at),
    recorded AS (
      INSERT INTO post_event (post_id, at, actor, member_id, api_key_id, source, action, from_state, to_state, note, details, before)
      SELECT l.post_id, decided.at, ${actor.label}::text, ${actor.member_id}::int, ${actor.key_id}::int, ${source ?? actor.source}::text,
             l.action, l.from_state, l.to_state, l.note, l.details, CASE WHEN ${undoable}::boolean THEN
               jsonb_strip_nulls(jsonb_build_object(
                 'approved', p.approved, 'reviewed_at', p.reviewed_at, 'reviewed_by', p.reviewed_by,
                 'reviewed_by_member', p.reviewed_by_member, 'auto_reject_reason', p.auto_reject_reason,
                 'reject_reason_id', p.reject_reason_id, 'version', p.reviewed_version))
               || CASE WHEN q.post_id IS NULL THEN '{}'
                       ELSE jsonb_build_object('entry', to_jsonb(q) - ${copiedColumns}::text[]) END END
        FROM decided, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS l
               (post_id int, action text, from_state text, to_state text, note text, details jsonb)
        JOIN post p ON p.id = l.post_id LEFT JOIN queue_entry q ON q.post_id = p.id
       ORDER BY l.post_id),
    freed AS (DELETE FROM review_lease WHERE post_id = ANY (${verdict === undefined ? [] : ids}::int[])),
    dequeued AS (DELETE FROM queue_entry WHERE post_id = ANY (${leave}::int[]))
    UPDATE post p SET ${Prisma.join([Prisma.sql`updated_at = now()`, ...sets])} FROM decided
     WHERE p.id = ANY (${sets.length > 0 ? ids : []}::int[])
    RETURNING ${columns}`;
}

/** Whether an edit was stored after this time. */
export async function wasEditedAfter(tx: Tx, postId: number, time: string): Promise<boolean> {
  const line = await tx.post_event.findFirst({
    where: { post_id: postId, action: "edit", at: { gt: time } },
    select: { id: true },
  });
  return line !== null;
}
