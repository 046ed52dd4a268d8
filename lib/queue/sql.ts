import { db, type Tx } from "#lib/base/db.ts";
import type { InlineCaller } from "#lib/base/http/principal.ts";
import { poolsOf, type ReserveOptions } from "./pool.ts";

export interface ReservedRow {
  outcome: "ok";
  key_id: number | null;
  /** Streams that the post was chosen from; empty for all. */
  stream_ids: number[];
  post_id: number;
  uri: string;
  url: string | null;
  author_account: string;
  snippet: string;
  hashtags: string[];
  stream_hashtag: string | null;
  has_attachments: boolean;
  post_created_at: Date;
  approved_at: Date;
  is_topical: boolean;
  lease_id: string;
  lease_expires_at: Date;
  deliveries: number;
}

/** No post was left. */
interface EmptyRow {
  outcome: "empty";
  key_id: number | null;
  stream_ids: number[];
  /** When a post that is kept back returns; null for none. */
  lease_expires_at: Date | null;
}

export type ReserveRow =
  | ReservedRow
  | EmptyRow
  | { outcome: "invalid_key" }
  | { outcome: "forbidden" }
  | { outcome: "unknown_stream" };

export interface SettlementRow {
  outcome: "ok" | "invalid_key" | "forbidden" | "not_found" | "conflict" | "stale" | "limit";
  key_id: number | null;
  state: string | null;
  /** End of an extended lease, or of the time that a nacked post is kept back. */
  lease_expires_at: Date | null;
  author_key: string | null;
}

/**
 * Checks the key, returns expired reservations, leases a post and writes the history, in one round trip.
 *
 * @param streamId null for every stream of the caller
 */
export async function reserveRow(
  caller: InlineCaller,
  streamId: number | null,
  options: ReserveOptions,
  settings: { time_zone: string; timeout_seconds: number; confirm_hours: number },
): Promise<ReserveRow> {
  const rows = await db.$queryRaw<ReserveRow[]>`/* queue_reserve */
    SELECT * FROM queue_reserve(
      queue_identify(${caller.key_hash}::bytea, ${caller.member_id}::int, ${caller.label}::text, ${streamId}::int),
      ${options.random}::boolean, ${poolsOf(options)}::boolean[], ${settings.time_zone}::text,
      ${settings.timeout_seconds}::int, ${settings.confirm_hours}::int)`;
  return rows[0] as ReserveRow;
}

/**
 * Checks the key, settles the reservation and writes the history, in one round trip. `outcome` is the reason for a
 * refusal.
 */
export async function settleRow(
  caller: InlineCaller,
  postId: number,
  move: "ack" | "nack" | "error" | "extend",
  options: {
    lease: string | null;
    reason: string | null;
    details: object | null;
    timeout_seconds: number;
  },
  tx: Tx = db,
): Promise<SettlementRow> {
  const details = options.details === null ? null : JSON.stringify(options.details);
  const rows = await tx.$queryRaw<SettlementRow[]>`/* queue_settle */
    SELECT * FROM queue_settle(
      queue_identify(${caller.key_hash}::bytea, ${caller.member_id}::int, ${caller.label}::text), ${postId}::int, ${move}::text, ${options.lease}::text, ${options.reason}::text, ${details}::jsonb,
      ${options.timeout_seconds}::int)`;
  return rows[0] as SettlementRow;
}

/** From the log; newest first. */
export function withdrawnRows(
  since: Date | null,
  skip: number,
  limit: number,
): Promise<{ post_id: number; at: Date }[]> {
  return db.$queryRaw<{ post_id: number; at: Date }[]>`
    SELECT post_id, at FROM post_event
     WHERE action = 'withdrawn' AND (${since}::timestamptz IS NULL OR at >= ${since}::timestamptz)
     ORDER BY id DESC LIMIT ${limit} OFFSET ${skip}`;
}

/** Moves one entry by hand if it is in `from`. Returns the number of entries moved. */
export function moveEntryRow(
  tx: Tx,
  postId: number,
  from: "error",
  to: "pending" | "delivered",
): Promise<number> {
  return tx.$executeRaw`
    UPDATE queue_entry
       SET state = ${to}, error_reason = NULL, error_details = NULL, errored_at = NULL, refusals = 0, not_before = NULL,
           lease_key_id = NULL, lease_label = NULL, reserved_at = NULL,
           delivered_at = CASE WHEN ${to} = 'delivered' THEN now() END
     WHERE post_id = ${postId} AND state = ${from}`;
}

/** For a 409: the queue state, else `unreviewed` or `rejected`; null when there is no such post. */
export async function stateRow(tx: Tx, postId: number): Promise<string | null> {
  const rows = await tx.$queryRaw<{ state: string }[]>`
    SELECT coalesce(q.state, CASE WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END) AS state
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.id = ${postId}`;
  return rows[0]?.state ?? null;
}

/** Posts chosen for deletion, and how many still existed. */
export interface DeletedRow {
  ids: number[];
  n: number;
}

/** Posts delivered until `days` ago. */
export async function cleanupCount(days: number): Promise<{ as_of: Date; posts: number }> {
  const rows = await db.$queryRaw<{ as_of: Date; posts: number }[]>`
    SELECT date_trunc('milliseconds', now()) AS as_of, count(*)::int AS posts
      FROM queue_entry
     WHERE state = 'delivered' AND delivered_at <= date_trunc('milliseconds', now()) - ${days}::int * interval '1 day'`;
  return rows[0] as { as_of: Date; posts: number };
}

/**
 * Locks in the order of reviews, the post before its entry, and looks at the state again after a wait.
 *
 * @param asOf from which the days are counted; null: now
 */
export async function cleanupRows(days: number, asOf: Date | null, limit: number): Promise<DeletedRow> {
  const rows = await db.$queryRaw<DeletedRow[]>`
    WITH old AS MATERIALIZED (SELECT ARRAY(
      SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
       WHERE q.state = 'delivered'
         AND q.delivered_at <= coalesce(${asOf}::timestamptz, now()) - ${days}::int * interval '1 day'
       ORDER BY q.delivered_at, q.post_id LIMIT ${limit} FOR UPDATE OF p FOR UPDATE OF q) AS ids)
    SELECT ids, delete_posts(ids, 'cleanup') AS n FROM old`;
  return rows[0] as DeletedRow;
}

export async function pendingCount(tx: Tx): Promise<number> {
  const rows = await tx.$queryRaw<{ pending: number }[]>`
    SELECT coalesce(sum(n), 0)::int AS pending FROM tally_now('{level}') WHERE key = '' AND metric = 'pending'`;
  return rows[0]?.pending ?? 0;
}

/**
 * Weighted sampling without replacement; see trimPending for the weights.
 *
 * @param asOf only posts approved until then; null for all
 */
export async function trimSampleRows(count: number, asOf: Date | null): Promise<number[]> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    WITH share AS (
      SELECT author_key, count(*)::float8 AS mine, sum(count(*)) OVER () AS everyone
        FROM queue_entry WHERE state = 'pending' GROUP BY author_key
    )
    SELECT q.post_id
      FROM queue_entry q JOIN post p ON p.id = q.post_id JOIN share s ON s.author_key = q.author_key
     WHERE q.state = 'pending' AND (${asOf}::timestamptz IS NULL OR q.approved_at <= ${asOf}::timestamptz)
     ORDER BY -ln(1 - random())
              / ((1 + greatest(0, extract(epoch FROM now() - q.post_created_at)) / 86400)
                 * (1 + 10 * s.mine / s.everyone)
                 / (1 + ln(1 + greatest(0, p.likes))))
     LIMIT ${count}`;
  return rows.map((row) => row.post_id);
}

/**
 * Deletes the posts still pending. Skips locked rows: a review locks the post before its entry, so waiting here with
 * the entry locked would deadlock.
 */
export async function trimRows(tx: Tx, postIds: number[]): Promise<DeletedRow> {
  const rows = await tx.$queryRaw<DeletedRow[]>`
    WITH pending AS MATERIALIZED (SELECT ARRAY(
      SELECT q.post_id FROM queue_entry q JOIN post p ON p.id = q.post_id
       WHERE q.post_id = ANY (${postIds}::int[]) AND q.state = 'pending'
         FOR UPDATE SKIP LOCKED) AS ids)
    SELECT ids, delete_posts(ids, 'trim') AS n FROM pending`;
  return rows[0] as DeletedRow;
}

/** Concurrent trims would each remove the same excess. */
export async function lockTrim(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7104)`;
}
