import { noteKeyUse } from "#lib/accounts/api-key.ts";
import { toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { InlineCaller } from "#lib/base/http/principal.ts";
import { batchCalls } from "./batch-calls.ts";
import { noteStreams, poolsOf, type ReserveOptions } from "./pool.ts";
import type { QueueItem } from "./schema.ts";
import {
  reserveRow,
  reserveRows,
  type ReserveCall,
  type ReservedRow,
  type ReserveRow,
  type ReserveSettings,
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
 * @param stream_id only posts of this stream; null for all streams of the caller
 * @throws invalid_key, scope_missing, stream_not_found: key and stream are checked in the same round trip.
 */
export async function reserveNext(
  caller: InlineCaller,
  { stream_id, ...options }: ReserveOptions & { stream_id: number | null },
): Promise<Reservation | NothingToReserve> {
  const row = await reserve({ caller, stream_id }, options);
  if (row.outcome === "invalid_key") throw new ApiError("invalid_key");
  if (row.outcome === "forbidden") throw new ApiError("scope_missing", { scope: "consume" });
  if (row.outcome === "unknown_stream") throw new ApiError("stream_not_found", { id: stream_id ?? "" });
  if (row.key_id !== null) noteKeyUse(row.key_id, true);
  noteStreams(row.stream_ids);
  if (row.outcome !== "ok") return { kept_back_until: row.lease_expires_at };
  return {
    item: serializeItem(row),
    lease: row.lease_id,
    expires_at: row.lease_expires_at,
    deliveries: row.deliveries,
  };
}

type BatchedReserve = (call: ReserveCall) => Promise<ReserveRow>;
const batches = new Map<string, BatchedReserve>();

/** Calls with the same options are batched, except those of members. */
async function reserve(call: ReserveCall, options: ReserveOptions): Promise<ReserveRow> {
  if (call.caller.key_hash === null) return reserveRow(call, options, settings());
  const name = JSON.stringify([options.random, poolsOf(options)]);
  const batch = batches.get(name) ?? batchCalls((calls: ReserveCall[]) => reserveBatch(calls, options));
  batches.set(name, batch);
  return batch(call);
}

async function reserveBatch(calls: ReserveCall[], options: ReserveOptions): Promise<ReserveRow[]> {
  const [call] = calls;
  if (call !== undefined && calls.length === 1) return [await reserveRow(call, options, settings())];
  return reserveRows(calls, options, settings());
}

function settings(): ReserveSettings {
  const { TIME_ZONE, RESERVE_TIMEOUT_SECONDS, CONFIRM_WITHIN_HOURS } = env();
  return {
    time_zone: TIME_ZONE,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    confirm_hours: CONFIRM_WITHIN_HOURS,
  };
}

/** Consumers silently drop a post without an https URL, so the canonical URI replaces it. */
function serializeItem(row: ReservedRow): QueueItem {
  const usable = row.url !== null && (row.url.startsWith("https://") || !row.uri.startsWith("https://"));
  return {
    id: row.post_id,
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
