import { db, Prisma, type Tx } from "#lib/db.ts";
import type { Verdict } from "./state.ts";

/** Why an undo would leave a post as it is; `edited`: the undo makes it unreviewed. */
export type ItemLimit = "expired" | "deleted" | "decided_again" | "handed_out" | "erased" | "edited";

/**
 * Posts of actions as an undo would find them now. `limit` is null when it would restore the post. `former` is the
 * verdict before the action, `reason` the error that the queue entry had.
 */
const judged = (ids: readonly string[]): Prisma.Sql => Prisma.sql`
  SELECT part.action_id, part.post_id, part.former, part.reason, CASE
           WHEN part.kind IN ('errors', 'delivery') AND part.at <= now() - interval '1 day' THEN 'expired'
           WHEN p.id IS NULL THEN 'deleted'
           WHEN p.reviewed_at IS DISTINCT FROM part.reviewed_at THEN 'decided_again'
           WHEN part.kind = 'delivery' AND q.state IS DISTINCT FROM 'delivered' THEN 'decided_again'
           WHEN part.is_requeue AND (q.state IS DISTINCT FROM 'pending' OR q.deliveries <> part.deliveries)
             THEN 'handed_out'
           WHEN part.former IS NOT TRUE AND (q.state IN ('reserved', 'delivered') OR q.state = 'error' AND part.former IS NULL)
             THEN 'handed_out'
           WHEN p.erased_at IS NOT NULL AND part.former IS DISTINCT FROM false THEN 'erased'
           WHEN part.former AND p.version <> part.version THEN 'edited'
         END AS "limit"
    FROM (SELECT c.id AS action_id, c.kind, c.at, i.post_id, i.version, i.reviewed_at,
                 (i.before ->> 'approved')::boolean AS former, i.before #>> '{entry,error_reason}' AS reason,
                 (i.before #>> '{entry,deliveries}')::int AS deliveries,
                 c.kind = 'errors' AND c.details ->> 'change' = 'requeue' AS is_requeue
            FROM change c JOIN change_item i ON i.change_id = c.id WHERE c.id = ANY (${ids}::uuid[])) part
    LEFT JOIN post p ON p.id = part.post_id LEFT JOIN queue_entry q ON q.post_id = part.post_id`;

export interface ItemRow {
  post_id: number;
  former: Verdict;
  reason: string | null;
  limit: ItemLimit | null;
}

/** In order of the post's id. Lock the posts before. */
export async function judgedItems(tx: Tx, action: string): Promise<ItemRow[]> {
  return tx.$queryRaw<ItemRow[]>`
    SELECT post_id, former, reason, "limit" FROM (${judged([action])}) judged ORDER BY post_id`;
}

/** Without locks. */
export async function outlookRows(
  ids: readonly string[],
): Promise<{ action_id: string; limit: ItemLimit | null; posts: number }[]> {
  return db.$queryRaw`
    SELECT action_id, "limit", count(*)::int AS posts FROM (${judged(ids)}) judged GROUP BY 1, 2`;
}

export async function itemPosts(tx: Tx, action: string): Promise<number[]> {
  const rows = await tx.change_item.findMany({ where: { change_id: action }, select: { post_id: true } });
  return rows.map((row) => row.post_id);
}

/**
 * Makes the reviews before an action current again, for posts whose verdict and queue entry were restored. With the same
 * `reviewed_at` again, an earlier action on the post can be undone as well.
 */
export async function writeFormerReviews(tx: Tx, action: string, postIds: readonly number[]): Promise<void> {
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
     WHERE i.change_id = ${action}::uuid AND i.post_id = p.id AND p.id = ANY (${postIds}::int[])
       AND p.approved IS NOT NULL`;
}

export interface DecidedPostRow {
  action_id: string;
  post_id: number;
  author_account: string;
  snippet: string;
}

/** Posts of decisions that are not deleted. */
export async function decidedPostRows(ids: string[]): Promise<DecidedPostRow[]> {
  return db.$queryRaw<DecidedPostRow[]>`
    SELECT i.change_id AS action_id, p.id AS post_id, p.author_account, p.snippet
      FROM change_item i JOIN post p ON p.id = i.post_id WHERE i.change_id = ANY (${ids}::uuid[])`;
}
