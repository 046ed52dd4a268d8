import { db, Prisma, type Tx } from "#lib/db.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import type { Scope } from "#lib/auth/permissions.ts";

/** Row of the SQL type `queue_item`. */
export interface ReservedRow {
  outcome: "ok" | "empty" | "invalid_key" | "forbidden";
  key_id: number | null;
  stale_use: boolean | null;
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

/** Row of the SQL type `queue_settlement`. */
export interface SettlementRow {
  outcome: "ok" | "invalid_key" | "forbidden" | "not_found" | "conflict" | "stale";
  key_id: number | null;
  stale_use: boolean | null;
  state: string | null;
  lease_expires_at: Date | null;
  author_key: string | null;
}

export interface ReserveChoice {
  random: boolean;
  include_topical: boolean;
  topical_only: boolean;
}

/** One round trip: identify, sweep, choose, lease, record. */
export async function reserveRow(
  caller: InlineCaller,
  choice: ReserveChoice,
  settings: { time_zone: string; timeout_seconds: number; backoff: boolean },
): Promise<ReservedRow> {
  const rows = await db.$queryRaw<ReservedRow[]>`
    SELECT * FROM queue_reserve(${caller.key_hash}::bytea, ${caller.member_id}::int, ${caller.label}::text,
      ${choice.random}::boolean, ${choice.include_topical}::boolean, ${choice.topical_only}::boolean,
      ${settings.time_zone}::text, ${settings.timeout_seconds}::int, ${settings.backoff}::boolean)`;
  return rows[0] as ReservedRow;
}

/** One round trip: identify, settle the reservation if it is one, record; otherwise say why not. */
export async function settleRow(
  caller: InlineCaller,
  scope: Scope,
  postId: number,
  move: "ack" | "nack" | "error" | "extend" | "release",
  options: { lease: string | null; reason: string | null; details: object | null; timeout_seconds: number; backoff: boolean },
): Promise<SettlementRow> {
  const details = options.details === null ? null : JSON.stringify(options.details);
  const rows = await db.$queryRaw<SettlementRow[]>`
    SELECT * FROM queue_settle(${caller.key_hash}::bytea, ${caller.member_id}::int, ${caller.label}::text, ${scope}::text,
      ${postId}::int, ${move}::text, ${options.lease}::text, ${options.reason}::text, ${details}::jsonb,
      ${options.timeout_seconds}::int, ${options.backoff}::boolean)`;
  return rows[0] as SettlementRow;
}

/** Puts approved posts into the queue as of `at`. */
export async function enqueueRows(tx: Tx, postIds: number[], at: Date): Promise<void> {
  await tx.$executeRaw`SELECT queue_enqueue(${postIds}::int[], ${at}::timestamptz)`;
}

/** Makes the facts, tags and block holds of entries follow their posts. */
export async function refreshFactRows(tx: Tx, postIds: number[]): Promise<void> {
  await tx.$executeRaw`SELECT queue_refresh_facts(${postIds}::int[])`;
}

/** Locks the entry of a post and gives its state; null when the post is not in the queue. */
export async function lockEntryState(tx: Tx, postId: number): Promise<string | null> {
  const rows = await tx.$queryRaw<{ state: string }[]>`SELECT state FROM queue_entry WHERE post_id = ${postId} FOR UPDATE`;
  return rows[0]?.state ?? null;
}

/** Sets or clears one hold bit on entries that are not delivered. Answers how many changed. */
export function setHoldRows(tx: Tx, where: Prisma.Sql, bit: number, held: boolean): Promise<number> {
  return held
    ? tx.$executeRaw`UPDATE queue_entry SET holds = holds | ${bit}::smallint WHERE state <> 'delivered' AND holds & ${bit}::smallint = 0 AND ${where}`
    : tx.$executeRaw`UPDATE queue_entry SET holds = holds & ~${bit}::smallint WHERE state <> 'delivered' AND holds & ${bit}::smallint <> 0 AND ${where}`;
}
