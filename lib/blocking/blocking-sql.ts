import { db, type Tx } from "#lib/db.ts";

export interface OwnStreamRow {
  hashtag: string;
  instance: string;
}

/** Streams that read one of these hashtags, in order of id. */
export function streamsOfHashtags(folded: string[]): Promise<OwnStreamRow[]> {
  return db.$queryRaw<OwnStreamRow[]>`
    SELECT hashtag, instance FROM stream WHERE hashtag_folded = ANY (${folded}::text[]) ORDER BY id`;
}

/** Approved posts that wait for a consumer. */
export async function countPending(): Promise<number> {
  return db.queue_entry.count({ where: { state: "pending" } });
}

/** Pending posts that a removal of this entry would release; `still`: others that another entry holds, too. */
export interface ReleaseRow {
  released: number[];
  still: number;
}

export async function releaseOfUser(
  tx: Tx,
  row: { id: number; account_identifier: string; pattern_type: string },
): Promise<ReleaseRow> {
  const rows = await tx.$queryRaw<ReleaseRow[]>`
    WITH author AS MATERIALIZED (
      SELECT author_key,
             EXISTS (SELECT FROM blocked_user b
                      WHERE b.id <> ${row.id} AND user_pattern_matches(b.pattern_type, b.account_identifier, author_key)) AS other
        FROM (SELECT DISTINCT author_key FROM queue_entry WHERE state = 'pending' AND holds & 1 <> 0) held
       WHERE user_pattern_matches(${row.pattern_type}, ${row.account_identifier}, author_key)
    )
    SELECT coalesce(array_agg(post_id ORDER BY post_id) FILTER (WHERE NOT other), '{}') AS released,
           (count(*) FILTER (WHERE other))::int AS still
      FROM queue_entry JOIN author USING (author_key) WHERE state = 'pending' AND holds & 1 <> 0`;
  return rows[0] as ReleaseRow;
}

export async function releaseOfHashtag(
  tx: Tx,
  row: { id: number; hashtag_folded: string },
): Promise<ReleaseRow> {
  const rows = await tx.$queryRaw<ReleaseRow[]>`
    SELECT coalesce(array_agg(post_id ORDER BY post_id) FILTER (WHERE NOT other), '{}') AS released,
           (count(*) FILTER (WHERE other))::int AS still
      FROM (SELECT post_id, EXISTS (SELECT FROM blocked_hashtag b
                                     WHERE b.id <> ${row.id} AND b.hashtag_folded = ANY (q.tags)) AS other
              FROM queue_entry q
             WHERE q.tags && ARRAY[${row.hashtag_folded}::text] AND q.state = 'pending' AND q.holds & 2 <> 0) held`;
  return rows[0] as ReleaseRow;
}

/** The pending entries among `ids` that a list holds, judged by the lists as this transaction sees them. */
export async function entriesHeldNow(tx: Tx, ids: number[]): Promise<{ post_id: number; bits: number }[]> {
  return tx.$queryRaw<{ post_id: number; bits: number }[]>`
    SELECT post_id, block_bits(author_key, tags, related) AS bits
      FROM queue_entry WHERE post_id = ANY (${ids}::int[]) AND state = 'pending'`;
}

export interface PostFateRow {
  id: number;
  queue_state: string | null;
}

export function postFates(tx: Tx, ids: number[]): Promise<PostFateRow[]> {
  return tx.$queryRaw<PostFateRow[]>`
    SELECT p.id, q.state AS queue_state FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.id = ANY (${ids}::int[])`;
}

export interface BlockPart {
  action_id: string;
  /** `held`, `released`: ids of queue entries; `rejected`: of posts; `entry`: of the list. */
  role: "held" | "released" | "rejected" | "listed" | "unlisted";
  list: "user" | "hashtag" | "opt_out";
  ids: number[];
  reviewed_at?: string | null;
}

export interface BlockOutlookRow {
  action_id: string;
  limit: "deleted" | "handed_out" | "decided_again" | "changed_again" | "erased" | null;
  n: number;
}

/** Parts that an undo would restore now (`limit` null), and the reasons to leave the rest. Without locks. */
export function blockOutlookRows(parts: readonly BlockPart[]): Promise<BlockOutlookRow[]> {
  return db.$queryRaw<BlockOutlookRow[]>`
    WITH part AS MATERIALIZED (
      SELECT r.action_id, r.role, r.list, r.reviewed_at, id::int AS id
        FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
             AS r (action_id text, role text, list text, ids jsonb, reviewed_at timestamptz), jsonb_array_elements_text(ids) id
    ), judged AS (
      SELECT action_id,
             CASE WHEN role IN ('listed', 'unlisted') THEN
                    CASE WHEN (role = 'listed') = (CASE list WHEN 'user' THEN EXISTS (SELECT FROM blocked_user b WHERE b.id = part.id)
                                                             ELSE EXISTS (SELECT FROM blocked_hashtag b WHERE b.id = part.id) END)
                         THEN NULL ELSE 'changed_again' END
                  WHEN p.id IS NULL THEN 'deleted'
                  WHEN role = 'rejected' THEN
                    CASE WHEN p.reviewed_at IS DISTINCT FROM part.reviewed_at THEN 'decided_again'
                         WHEN p.erased_at IS NOT NULL THEN 'erased' END
                  WHEN q.state IN ('reserved', 'delivered', 'error') THEN 'handed_out'
                  WHEN q.state IS NULL THEN 'decided_again'
                  WHEN (role = 'held') <> (q.holds & CASE list WHEN 'user' THEN 1 WHEN 'hashtag' THEN 2 ELSE 32 END <> 0) THEN 'changed_again' END AS "limit"
        FROM part LEFT JOIN post p ON p.id = part.id AND role NOT IN ('listed', 'unlisted')
                  LEFT JOIN queue_entry q ON q.post_id = p.id
    )
    SELECT action_id, "limit", count(*)::int AS n FROM judged GROUP BY 1, 2`;
}
