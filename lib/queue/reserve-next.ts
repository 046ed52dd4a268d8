import { noteKeyUse } from "#lib/accounts/api-key.ts";
import { toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { InlineCaller } from "#lib/base/http/principal.ts";
import { noteStreams, type ReserveOptions } from "./pool.ts";
import type { QueueItem } from "./schema.ts";
import { reserveRow, type ReservedRow } from "./sql.ts";

export interface Reservation {
  item: QueueItem;
  lease: string;
  expires_at: Date;
  /** Deliveries of this post, this one included. */
  deliveries: number;
}

/** No post is eligible. `kept_back_until`: when the first post that is kept back is offered again; null for none. */
export interface NothingToReserve {
  kept_back_until: Date | null;
}

/**
 * Leases the next eligible post for RESERVE_TIMEOUT_SECONDS, after returning expired reservations.
 *
 * @throws invalid_key, scope_missing, stream_not_found. Key and stream are checked in the same round trip
 */
export async function reserveNext(
  caller: InlineCaller,
  options: ReserveOptions,
): Promise<Reservation | NothingToReserve> {
  const { TIME_ZONE, RESERVE_TIMEOUT_SECONDS, CONFIRM_WITHIN_HOURS } = env();
  const row = await reserveRow({
    caller,
    options,
    time_zone: TIME_ZONE,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    confirm_hours: CONFIRM_WITHIN_HOURS,
  });
  if (row.outcome === "invalid_key") throw new ApiError("invalid_key");
  if (row.outcome === "forbidden") throw new ApiError("scope_missing", { scope: "consume" });
  if (row.outcome === "unknown_stream")
    throw new ApiError("stream_not_found", { id: options.stream_id ?? "" });
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

/** Consumers silently drop a post without an https URL, so its URI replaces another URL. */
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
