import { db, Prisma, type Tx } from "#lib/db.ts";

/** `review`: rejected by a reviewer, with an undo of its own. `deliver`: marked as delivered. */
export type ErrorBatchKind = "requeue" | "dismiss" | "review" | "deliver";

export interface ErrorBatchRow {
  id: string;
  kind: ErrorBatchKind;
  reason: string;
  reviewed_at: Date | null;
  undone_at: Date | null;
  post_ids: number[];
}

/** Stores entries in state `error`, locked by the caller and about to change. */
export async function insertErrorBatch(
  tx: Tx,
  batch: { id: string; kind: ErrorBatchKind; reason: string },
  postIds: number[],
): Promise<void> {
  await tx.$executeRaw`
    WITH batch AS (
      INSERT INTO error_batch (id, kind, reason) VALUES (${batch.id}::uuid, ${batch.kind}, ${batch.reason}) RETURNING id)
    INSERT INTO error_batch_entry (batch_id, post_id, approved_at, deliveries, nacks, timeouts, lease_label, reserved_at,
                                   errored_at, error_reason, error_details)
    SELECT batch.id, post_id, approved_at, deliveries, nacks, timeouts, lease_label, reserved_at, errored_at,
           error_reason, error_details
      FROM queue_entry, batch WHERE state = 'error' AND post_id = ANY (${postIds}::int[])`;
}

/**
 * A batch of the last day. Pruning may be late, so the age is checked here.
 *
 * @param lock so that it is undone once; its posts are locked before, as a deletion does
 */
export async function readErrorBatch(tx: Tx, id: string, lock: boolean): Promise<ErrorBatchRow | null> {
  const rows = await tx.$queryRaw<ErrorBatchRow[]>`
    SELECT id, kind, reason, reviewed_at, undone_at,
           ARRAY(SELECT post_id FROM error_batch_entry WHERE batch_id = b.id ORDER BY post_id) AS post_ids
      FROM error_batch b WHERE id = ${id}::uuid AND kind <> 'review' AND at > now() - interval '1 day'
       ${lock ? Prisma.sql`FOR UPDATE` : Prisma.empty}`;
  return rows[0] ?? null;
}

/** Posts of a batch still pending at their old position and not handed out since. */
export async function stillRequeuedRows(tx: Tx, id: string): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN error_batch_entry e USING (post_id)
     WHERE e.batch_id = ${id}::uuid AND q.state = 'pending' AND q.deliveries = e.deliveries
       AND q.approved_at = e.approved_at`;
  return rows.map((row) => row.post_id);
}

/** Posts of a batch that are still marked as delivered. */
export async function stillMarkedRows(tx: Tx, id: string): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN error_batch_entry e USING (post_id)
     WHERE e.batch_id = ${id}::uuid AND q.state = 'delivered'`;
  return rows.map((row) => row.post_id);
}

/** Makes marked deliveries pending, and takes them out of the figures of their hour and day. */
export async function unmarkRows(tx: Tx, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    WITH marked AS (
      UPDATE queue_entry q SET state = 'pending', delivered_at = NULL
        FROM (SELECT post_id, delivered_at, stream_id, author_key, approved_at FROM queue_entry
               WHERE post_id = ANY (${postIds}::int[]) AND state = 'delivered') old
       WHERE q.post_id = old.post_id
      RETURNING old.*
    )
    INSERT INTO figure_delta (at, event, stream_id, instance, wait, n)
    SELECT utc_hour(delivered_at), 'delivered', coalesce(stream_id, 0), substring(author_key FROM '[^@]*$'), wait_bucket(delivered_at - approved_at), -1
      FROM marked`;
}

export interface ErrorOutlookRow {
  batch_id: string;
  limit: "handed_out" | "decided_again" | "edited" | null;
  posts: number;
  is_old: boolean;
}

/** The same conditions as those of the undo, without locks. Deleted posts have no rows. */
export async function errorOutlookRows(ids: string[]): Promise<ErrorOutlookRow[]> {
  return db.$queryRaw<ErrorOutlookRow[]>`
    SELECT b.id AS batch_id, b.at <= now() - interval '1 day' AS is_old, judged."limit", count(*)::int AS posts
      FROM error_batch b JOIN error_batch_entry e ON e.batch_id = b.id JOIN post p ON p.id = e.post_id
      LEFT JOIN queue_entry q ON q.post_id = e.post_id,
      LATERAL (SELECT CASE
        WHEN p.version <> p.reviewed_version AND (b.kind = 'deliver' AND q.state = 'delivered'
          OR b.kind = 'dismiss' AND p.approved = false AND p.reviewed_at = b.reviewed_at) THEN 'edited'
        WHEN b.kind = 'requeue' AND q.state = 'pending' AND q.deliveries = e.deliveries AND q.approved_at = e.approved_at
          OR b.kind = 'deliver' AND q.state = 'delivered'
          OR b.kind = 'dismiss' AND p.approved = false AND p.reviewed_at = b.reviewed_at AND p.erased_at IS NULL THEN NULL
        WHEN b.kind = 'requeue' AND q.post_id IS NOT NULL THEN 'handed_out'
        ELSE 'decided_again' END AS "limit") judged
     WHERE b.id = ANY (${ids}::uuid[]) GROUP BY 1, 2, 3`;
}

/**
 * Restores error and position. The row is replaced, because an update to `error` would be counted as another report.
 */
export async function restoreErrorRows(tx: Tx, id: string, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (DELETE FROM queue_entry WHERE state = 'pending' AND post_id = ANY (${postIds}::int[]) RETURNING *)
    INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, stream_id, author_key, tags, missing, holds,
                             random_key, deliveries, nacks, timeouts, lease_label, reserved_at, errored_at, error_reason,
                             error_details, confirmed_at)
    SELECT gone.post_id, 'error', e.approved_at, gone.post_created_at, gone.stream_id, gone.author_key, gone.tags,
           gone.missing, gone.holds, gone.random_key, e.deliveries, e.nacks, e.timeouts, e.lease_label, e.reserved_at,
           e.errored_at, e.error_reason, e.error_details, gone.confirmed_at
      FROM gone JOIN error_batch_entry e USING (post_id) WHERE e.batch_id = ${id}::uuid`;
  await tx.$executeRaw`
    UPDATE post p SET approved_at = e.approved_at FROM error_batch_entry e
     WHERE p.id = e.post_id AND e.batch_id = ${id}::uuid AND p.id = ANY (${postIds}::int[])
       AND p.approved_at IS DISTINCT FROM e.approved_at`;
}

export interface ReviewedErrorRow {
  batch_id: string;
  post_id: number;
  reason: string;
}

export async function reviewedErrorRows(
  tx: Tx,
  postIds: number[],
  rejectedAt: Date,
): Promise<ReviewedErrorRow[]> {
  return tx.$queryRaw<ReviewedErrorRow[]>`
    SELECT e.batch_id, e.post_id, e.error_reason AS reason
      FROM error_batch_entry e JOIN error_batch b ON b.id = e.batch_id
     WHERE e.post_id = ANY (${postIds}::int[]) AND b.kind = 'review' AND b.reviewed_at = ${rejectedAt}::timestamptz
     ORDER BY e.post_id`;
}

/**
 * Oldest error first, with posts and entries locked. Skips locked ones: a deletion locks the post first.
 *
 * @param only null: all
 */
export async function lockErrorRows(
  tx: Tx,
  reason: string,
  limit: number,
  streams: number[] | null,
  only: number[] | null,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
     WHERE q.state = 'error' AND q.error_reason = ${reason}
       AND (${only}::int[] IS NULL OR q.post_id = ANY (${only}::int[]))
       AND (${streams}::int[] IS NULL OR q.stream_id = ANY (${streams}::int[]))
     ORDER BY q.errored_at, q.post_id LIMIT ${limit} FOR KEY SHARE OF p SKIP LOCKED FOR UPDATE OF q SKIP LOCKED`;
  return rows.map((row) => row.post_id);
}

/** Moves entries, locked by the caller, back to `pending` at their old positions. */
export async function requeueRows(tx: Tx, postIds: number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE queue_entry
       SET state = 'pending', error_reason = NULL, error_details = NULL, errored_at = NULL, refusals = 0, not_before = NULL,
           lease_key_id = NULL, lease_member_id = NULL, lease_label = NULL, reserved_at = NULL
     WHERE post_id = ANY (${postIds}::int[]) AND state = 'error'`;
}

/** Entry in state `error`, locked after its post, as a deletion does. */
export async function lockFailedRow(tx: Tx, postId: number): Promise<{ reason: string } | null> {
  await tx.$executeRaw`SELECT FROM post WHERE id = ${postId} FOR KEY SHARE`;
  const rows = await tx.$queryRaw<{ reason: string }[]>`
    SELECT coalesce(error_reason, '') AS reason FROM queue_entry WHERE post_id = ${postId} AND state = 'error' FOR UPDATE`;
  return rows[0] ?? null;
}

/** Ids of failed posts with this reason, oldest error first. `streams`: only of these; null for all. */
export async function errorPostRows(
  tx: Tx,
  reason: string,
  limit: number,
  streams: number[] | null,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry WHERE state = 'error' AND error_reason = ${reason}
       AND (${streams}::int[] IS NULL OR stream_id = ANY (${streams}::int[]))
     ORDER BY errored_at, post_id LIMIT ${limit}`;
  return rows.map((row) => row.post_id);
}
