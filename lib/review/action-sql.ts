import { db } from "#lib/db.ts";

export interface PostOutlookRow {
  action_id: string;
  limit: "deleted" | "handed_out" | "decided_again" | "edited" | "erased" | null;
  posts: number;
}

/**
 * Posts of decisions and batches that an undo would restore (`limit` null), and why it would leave the others.
 * The same conditions as those of the undo, without locks.
 */
export async function postOutlookRows(ids: string[]): Promise<PostOutlookRow[]> {
  return db.$queryRaw<PostOutlookRow[]>`
    WITH part (action_id, post_id, reviewed_at, back) AS (
      SELECT id, post_id, reviewed_at, before_approved FROM review_decision WHERE id = ANY (${ids}::uuid[])
      UNION ALL
      SELECT b.id, each.post_id, b.reviewed_at, each.back FROM review_batch b, LATERAL (
        SELECT unnest(was_unreviewed) AS post_id, NULL::boolean AS back
        UNION ALL SELECT unnest(was_rejected), false
        UNION ALL SELECT unnest(was_approved), true) each
       WHERE b.id = ANY (${ids}::uuid[])
    ), former AS (
      SELECT a.id AS action_id, r.id AS post_id, r.reviewed_version
        FROM action a, jsonb_to_recordset(a.before -> 'reviews') AS r (id int, reviewed_version int)
       WHERE a.id = ANY (${ids}::uuid[])
    ), judged AS (
      SELECT part.action_id,
             CASE WHEN p.id IS NULL THEN 'deleted'
                  WHEN p.reviewed_at IS DISTINCT FROM part.reviewed_at THEN 'decided_again'
                  WHEN part.back IS NOT TRUE AND (q.state IN ('reserved', 'delivered')
                       OR q.state = 'error' AND part.back IS NULL) THEN 'handed_out'
                  WHEN p.erased_at IS NOT NULL AND part.back IS DISTINCT FROM false THEN 'erased'
                  WHEN part.back AND p.version <> coalesce(former.reviewed_version, p.reviewed_version) THEN 'edited'
             END AS "limit"
        FROM part LEFT JOIN post p ON p.id = part.post_id LEFT JOIN queue_entry q ON q.post_id = part.post_id
        LEFT JOIN former ON former.action_id = part.action_id AND former.post_id = part.post_id
    )
    SELECT action_id, "limit", count(*)::int AS posts FROM judged GROUP BY 1, 2`;
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
    SELECT d.id AS action_id, p.id AS post_id, p.author_account, p.snippet
      FROM review_decision d JOIN post p ON p.id = d.post_id WHERE d.id = ANY (${ids}::uuid[])`;
}
