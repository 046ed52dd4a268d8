import { db, type Tx } from "#lib/base/db.ts";
import type { InlineCaller } from "#lib/base/http/principal.ts";
import { batched } from "#lib/base/batched.ts";
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

/** No post can be handed out now. */
interface EmptyRow {
  outcome: "empty";
  key_id: number | null;
  stream_ids: number[];
  /** When the first post that is kept back is offered again; null for none. */
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

interface Call {
  caller: InlineCaller;
  timeout_seconds: number;
}

export interface ReserveCall extends Call {
  options: ReserveOptions;
  time_zone: string;
  confirm_hours: number;
}

export interface SettleCall extends Call {
  post_id: number;
  move: "ack" | "nack" | "error" | "extend";
  /** Ids of leases, separated by commas; null for any. */
  leases: string | null;
  reason: string | null;
  details: object | null;
}

/** The calls as JSON, a row for each. */
function rowsOf(calls: Call[]): string {
  const hex = (hash: Uint8Array | null) => hash && Buffer.from(hash).toString("hex");
  return JSON.stringify(
    calls.map(({ caller, ...call }) => ({ ...call, ...caller, key_hash: hex(caller.key_hash) })),
  );
}

/** Checks the key, returns expired reservations, leases a post and writes the history. */
export const reserveRow = batched((calls: ReserveCall[]) => {
  const rows = rowsOf(calls.map((call) => ({ ...call, ...call.options, pools: poolsOf(call.options) })));
  return db.$queryRaw<ReserveRow[]>`/* queue_reserve */
    SELECT r.*
      FROM ROWS FROM (jsonb_to_recordset(${rows}::jsonb) AS (
             key_hash text, member_id int, label text, stream_id int, random boolean, pools boolean[], time_zone text,
             timeout_seconds int, confirm_hours int)) WITH ORDINALITY c,
           queue_reserve(queue_identify(decode(key_hash, 'hex'), member_id, label, c.stream_id), random, pools, time_zone,
                         timeout_seconds, confirm_hours) r
     ORDER BY c.ordinality`;
});

/** Checks the key, settles the reservation and writes the history. `outcome`: ok, or the reason of a refusal. */
export const settleRow = batched((calls: SettleCall[]) => settleRows(calls, db));

/** Settles in the order of the post ids, so that two statements cannot deadlock. Results are in the order of the calls. */
export function settleRows(calls: SettleCall[], tx: Tx): Promise<SettlementRow[]> {
  return tx.$queryRaw<SettlementRow[]>`/* queue_settle */
    SELECT r.*
      FROM (SELECT *
              FROM ROWS FROM (jsonb_to_recordset(${rowsOf(calls)}::jsonb) AS (
                     key_hash text, member_id int, label text, post_id int, move text, leases text, reason text,
                     details jsonb, timeout_seconds int)) WITH ORDINALITY
             ORDER BY post_id) c,
           queue_settle(queue_identify(decode(key_hash, 'hex'), member_id, label), post_id, move, leases, reason, details,
                        timeout_seconds) r
     ORDER BY ordinality`;
}

/** Moves failed entries; a requeued one gets its old position. Returns the number of entries moved. */
export function moveErrorRows(tx: Tx, postIds: number[], to: "pending" | "delivered"): Promise<number> {
  return tx.$executeRaw`
    UPDATE queue_entry
       SET state = ${to}, error_reason = NULL, error_details = NULL, errored_at = NULL, refusals = 0, not_before = NULL,
           lease_key_id = NULL, lease_label = NULL, reserved_at = NULL,
           delivered_at = CASE WHEN ${to} = 'delivered' THEN now() END
     WHERE post_id = ANY (${postIds}::int[]) AND state = 'error'`;
}

/** State of a post for a 409: that of its queue entry, else `unreviewed` or `rejected`; null without such a post. */
export async function stateRow(tx: Tx, postId: number): Promise<string | null> {
  const rows = await tx.$queryRaw<{ state: string }[]>`
    SELECT coalesce(q.state, CASE WHEN p.approved IS NULL THEN 'unreviewed' ELSE 'rejected' END) AS state
      FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id
     WHERE p.id = ${postId}`;
  return rows[0]?.state ?? null;
}

/** Posts that were chosen for deletion, and the number of those that still existed. */
export interface DeletedRow {
  ids: number[];
  n: number;
}

interface Cleaned extends DeletedRow {
  /** Number of posts that were old enough, also of those that another process deleted meanwhile. */
  chosen: number;
}

/**
 * Deletes up to `limit` posts that were delivered at least `days` days ago, the oldest first. Locks the post before its
 * entry, as reviews do, and reads the state again after a wait.
 *
 * @param asOf time from which the days are counted; null: now
 */
export async function cleanupRows(days: number, asOf: Date | null, limit: number): Promise<Cleaned> {
  const rows = await db.$queryRaw<Cleaned[]>`
    WITH chosen AS MATERIALIZED (
      SELECT post_id FROM queue_entry
       WHERE state = 'delivered' AND delivered_at <= coalesce(${asOf}::timestamptz, now()) - ${days}::int * interval '1 day'
       ORDER BY delivered_at, post_id LIMIT ${limit}
    ), old AS MATERIALIZED (SELECT ARRAY(
      SELECT q.post_id FROM chosen JOIN queue_entry q USING (post_id) JOIN post p ON p.id = q.post_id
       WHERE q.state = 'delivered' ORDER BY q.post_id FOR UPDATE OF p FOR UPDATE OF q) AS ids)
    SELECT ids, delete_posts(ids, 'cleanup') AS n, (SELECT count(*)::int FROM chosen) AS chosen FROM old`;
  return rows[0] as Cleaned;
}

/**
 * Ids of `count` pending posts by weighted sampling without replacement. trimPending() explains the weights.
 *
 * @param asOf only posts that were approved at this time or before; null for all
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
 * Deletes those of these posts that are still pending. Skips locked rows: a review locks the post before its entry, so
 * waiting here could deadlock.
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

/** Lets one trim run at a time: two would both remove the same excess. */
export async function lockTrim(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7104)`;
}
