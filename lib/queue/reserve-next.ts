import { noteKeyUse } from "#lib/auth/api-key.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { batchCalls } from "./batch-calls.ts";
import { noteReserveKind } from "./note-use.ts";
import type { QueueItem } from "./schema.ts";
import {
  reserveRow,
  reserveRows,
  type ReservedRow,
  type ReserveOptions,
  type ReserveSettings,
  type UnservedRow,
} from "./sql.ts";

export interface Reservation {
  item: QueueItem;
  lease: string;
  expires_at: Date;
  /** Deliveries of this post, this one included. */
  deliveries: number;
}

/** No post is eligible; `kept_back_until` is when the first post that was refused too often is offered again. */
export interface NothingToReserve {
  kept_back_until: Date | null;
}

/**
 * Leases the next eligible post for RESERVE_TIMEOUT_SECONDS, after returning expired reservations.
 *
 * @throws invalid_key, scope_missing: the key is checked in the same round trip.
 */
export async function reserveNext(
  caller: InlineCaller,
  options: ReserveOptions,
): Promise<Reservation | NothingToReserve> {
  const row = await reserve(caller, options);
  if (row.outcome === "invalid_key") throw new ApiError("invalid_key");
  if (row.outcome === "forbidden") throw new ApiError("scope_missing", { scope: "consume" });
  if (row.stale_use && row.key_id !== null) noteKeyUse(row.key_id, null);
  noteReserveKind(options);
  if (row.outcome !== "ok") return { kept_back_until: row.lease_expires_at };
  return {
    item: serializeQueueItem(row),
    lease: row.lease_id,
    expires_at: row.lease_expires_at,
    deliveries: row.deliveries,
  };
}

type Row = ReservedRow | UnservedRow;

/** Calls with the same options are batched, except those of members and cases the batch cannot handle. */
async function reserve(caller: InlineCaller, options: ReserveOptions): Promise<Row> {
  const row = caller.key_hash === null ? null : await batchOf(options)(caller);
  return row ?? reserveRow(caller, options, settings());
}

type BatchedReserve = (caller: InlineCaller) => Promise<Row | null>;
const batches = new Map<string, BatchedReserve>();

function batchOf({ random, include_topical, topical_only }: ReserveOptions): BatchedReserve {
  // topical_only has no effect without include_topical.
  const options = { random, include_topical, topical_only: include_topical && topical_only };
  const name = Object.values(options).join();
  const batch = batches.get(name) ?? batchCalls((callers: InlineCaller[]) => reserveBatch(callers, options));
  batches.set(name, batch);
  return batch;
}

async function reserveBatch(callers: InlineCaller[], options: ReserveOptions): Promise<(Row | null)[]> {
  const [caller] = callers;
  if (caller !== undefined && callers.length === 1) return [await reserveRow(caller, options, settings())];
  return reserveRows(callers, options, settings());
}

function settings(): ReserveSettings {
  const { TIME_ZONE, RESERVE_TIMEOUT_SECONDS, REFUSAL_BACKOFF, CONFIRM_WITHIN_HOURS } = env();
  return {
    time_zone: TIME_ZONE,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    backoff: REFUSAL_BACKOFF,
    confirm_hours: CONFIRM_WITHIN_HOURS,
  };
}

/** Consumers silently drop a post without an https URL, so the canonical URI replaces it. */
function serializeQueueItem(row: ReservedRow): QueueItem {
  const usable = row.url !== null && (row.url.startsWith("https://") || !row.uri.startsWith("https://"));
  return {
    fenliu_post_id: row.post_id,
    post_uri: row.uri,
    post_url: usable ? (row.url as string) : row.uri,
    author_account: row.author_account,
    content_snippet: row.snippet === "" ? "(no text)" : row.snippet,
    hashtags: row.hashtags,
    stream: row.stream_hashtag ?? "",
    has_attachments: row.has_attachments,
    post_created_at: toIso(row.post_created_at),
    approved_at: toIso(row.approved_at),
    is_topical: row.is_topical,
  };
}
