import type { Tx } from "#lib/base/db.ts";
import type { ImportedRow } from "./import-batch.ts";

/** No post can be stored until the transaction ends. @returns whether there are any */
export async function lockEmptyPosts(tx: Tx): Promise<boolean> {
  await tx.$executeRaw`LOCK TABLE post IN SHARE ROW EXCLUSIVE MODE`;
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM post LIMIT 1`;
  return rows.length === 0;
}

/** Ids up to this one are not given to new rows. */
export async function skipIds(tx: Tx, table: "post" | "stream", highest: number): Promise<void> {
  await tx.$executeRaw`
    SELECT setval(s, greatest(${highest}::bigint, pg_sequence_last_value(s), 1))
      FROM CAST(pg_get_serial_sequence(${table}, 'id') AS regclass) s`;
}

/** A stream of the same hashtag and server takes the place of a new one. @returns its id */
export async function insertStream(
  tx: Tx,
  row: {
    id: number;
    hashtag: string;
    hashtag_folded: string;
    instance: string;
    active: boolean;
    enable_scheduling: boolean;
    fetch_interval_minutes: number;
    /** Of the next fetch; now where it is null. */
    due_at: string | null;
    created_at: string | null;
  },
): Promise<number> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO stream AS s (id, hashtag, hashtag_folded, instance, active, enable_scheduling, fetch_interval_minutes,
                             next_scheduled_fetch, created_at)
    SELECT CASE WHEN EXISTS (SELECT FROM stream WHERE id = ${row.id}::int)
                THEN nextval(pg_get_serial_sequence('stream', 'id')) ELSE ${row.id}::int END,
           ${row.hashtag}, ${row.hashtag_folded}, ${row.instance}, ${row.active}, ${row.enable_scheduling},
           ${row.fetch_interval_minutes}::int,
           CASE WHEN ${row.active && row.enable_scheduling} THEN coalesce(${row.due_at}::text::timestamptz, now()) END,
           coalesce(${row.created_at}::text::timestamptz, now())
    ON CONFLICT (hashtag_folded, instance) DO UPDATE SET active = s.active OR excluded.active, updated_at = now(),
       next_scheduled_fetch = coalesce(s.next_scheduled_fetch, excluded.next_scheduled_fetch)
    RETURNING id`;
  return (rows[0] as { id: number }).id;
}

/** @returns ids of the posts that took their decision; others have one already */
export async function writePosts(tx: Tx, rows: ImportedRow[]): Promise<number[]> {
  const json = JSON.stringify(rows);
  await tx.$executeRaw`
    UPDATE post p SET reviewer_notes = r.reviewer_notes, manual_spam_score = r.manual_spam_score
      FROM jsonb_to_recordset(${json}::jsonb) AS r (post_id int, reviewer_notes text, manual_spam_score smallint)
     WHERE p.id = r.post_id AND (r.reviewer_notes IS NOT NULL OR r.manual_spam_score IS NOT NULL)`;
  // Without the former state, because FenLiu has none.
  await tx.$executeRaw`
    INSERT INTO post_event (post_id, at, actor, source, action, to_state, note, details)
    SELECT r.post_id, coalesce(r.at, now()), 'FenLiu', 'service', 'import', r.state, r.note, r.details
      FROM jsonb_to_recordset(${json}::jsonb)
           AS r (post_id int, state text, note text, details jsonb, at timestamptz) ORDER BY r.post_id`;
  const decided = await tx.$queryRaw<{ id: number }[]>`
    UPDATE post p SET approved = r.state <> 'rejected', reviewed_at = r.reviewed_at, approved_at = r.approved_at,
           reviewed_by = r.reviewed_by, auto_reject_reason = r.auto_reject_reason, updated_at = now()
      FROM jsonb_to_recordset(${json}::jsonb)
           AS r (post_id int, state text, reviewed_at timestamptz, approved_at timestamptz, reviewed_by text, auto_reject_reason text)
     WHERE p.id = r.post_id AND r.state <> 'unreviewed'
       AND (p.approved IS NULL OR p.auto_reject_reason IN ('blocked_user', 'blocked_hashtag', 'bot'))
    RETURNING p.id`;
  return decided.map(({ id }) => id);
}

/**
 * From `pending`, so that deliveries and errors are counted at their time. No entry is confirmed, whatever
 * CONFIRM_WITHIN_HOURS is (before_restore); one without a known address is unverifiable.
 */
export async function writeEntries(tx: Tx, rows: ImportedRow[], timeout: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE queue_entry q SET state = r.state, delivered_at = r.delivered_at, errored_at = r.errored_at,
           error_reason = r.error_reason, error_details = r.error_details, reserved_at = r.reserved_at,
           lease_id = CASE r.state WHEN 'reserved' THEN gen_random_uuid() END,
           lease_label = CASE r.state WHEN 'reserved' THEN 'FenLiu' END,
           lease_expires_at = CASE r.state WHEN 'reserved' THEN now() + ${timeout}::int * interval '1 second' END,
           confirmed_at = before_restore(), holds = (q.holds & ~(4 | 8)) | CASE WHEN r.is_known THEN 4 ELSE 8 END
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           AS r (post_id int, state text, delivered_at timestamptz, errored_at timestamptz, reserved_at timestamptz,
                 error_reason text, error_details jsonb, is_known boolean)
     WHERE q.post_id = r.post_id`;
}
