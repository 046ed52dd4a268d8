import type { Tx } from "#lib/base/db.ts";
import type { Verdict } from "./state.ts";

/** Why an undo leaves a post as it is; `edited`: the undo makes it unreviewed. */
export type ItemLimit = "deleted" | "decided_again" | "handed_out" | "erased" | "edited";

export interface ItemRow {
  post_id: number;
  /** The verdict before the change. */
  former: Verdict;
  /** The error that the queue entry had. */
  reason: string | null;
  /** Null when the undo restores the post. */
  limit: ItemLimit | null;
}

/** Posts of a change as its undo finds them, in order of id. Lock the posts before. */
export async function judgedItems(tx: Tx, change: string): Promise<ItemRow[]> {
  return tx.$queryRaw<ItemRow[]>`
    SELECT part.post_id, part.former, part.reason, CASE
             WHEN p.id IS NULL THEN 'deleted'
             WHEN p.reviewed_at IS DISTINCT FROM part.reviewed_at THEN 'decided_again'
             WHEN part.former IS NOT TRUE
                  AND (q.state IN ('reserved', 'delivered') OR q.state = 'error' AND part.former IS NULL)
               THEN 'handed_out'
             WHEN p.erased_at IS NOT NULL AND part.former IS DISTINCT FROM false THEN 'erased'
             WHEN part.former AND p.version <> part.version THEN 'edited'
           END AS "limit"
      FROM (SELECT post_id, version, reviewed_at, (before ->> 'approved')::boolean AS former,
                   before #>> '{entry,error_reason}' AS reason
              FROM change_item WHERE change_id = ${change}::uuid) part
      LEFT JOIN post p ON p.id = part.post_id LEFT JOIN queue_entry q ON q.post_id = part.post_id
     ORDER BY part.post_id`;
}

export async function itemPosts(tx: Tx, change: string): Promise<number[]> {
  const rows = await tx.change_item.findMany({ where: { change_id: change }, select: { post_id: true } });
  return rows.map((row) => row.post_id);
}

/**
 * Makes the reviews before a change current again, for posts whose verdict and queue entry were restored. With the same
 * `reviewed_at` again, an earlier change of the post can be undone as well.
 */
export async function writeFormerReviews(tx: Tx, change: string, postIds: readonly number[]): Promise<void> {
  if (postIds.length === 0) return;
  await tx.$executeRaw`
    UPDATE post p SET reviewed_at = b.reviewed_at, reviewed_by = b.reviewed_by,
           reviewed_by_member = b.reviewed_by_member, auto_reject_reason = b.auto_reject_reason,
           reject_reason_id = b.reject_reason_id,
           approved_at = CASE WHEN p.approved THEN coalesce(
             (SELECT approved_at FROM queue_entry WHERE post_id = p.id), p.approved_at) END
      FROM change_item i, LATERAL jsonb_to_record(i.before)
             AS b (reviewed_at timestamptz, reviewed_by text, reviewed_by_member int, auto_reject_reason text,
                  reject_reason_id int)
     WHERE i.change_id = ${change}::uuid AND i.post_id = p.id AND p.id = ANY (${postIds}::int[])
       AND p.approved IS NOT NULL`;
}
