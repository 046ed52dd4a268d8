import { noteKeyUse } from "#lib/auth/note-key-use.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/http/errors.ts";
import type { QueueItem } from "./schema.ts";
import { serializeQueueItem } from "./serialize.ts";
import { reserveRow, type ReserveChoice } from "./sql.ts";

export interface Reservation {
  item: QueueItem;
  lease: string;
  expires_at: Date;
  /** How often this post has been handed out, this time included. */
  deliveries: number;
}

/**
 * Hands the next eligible post to the caller and leases it for RESERVE_TIMEOUT_SECONDS (spec
 * `GET /curated/next`); timed-out reservations are swept first. Null: nothing to hand out.
 * Throws `invalid_key` and `scope_missing`: the key is checked in the same round trip.
 */
export async function reserveNext(caller: InlineCaller, choice: ReserveChoice): Promise<Reservation | null> {
  const { TIME_ZONE, RESERVE_TIMEOUT_SECONDS, REFUSAL_BACKOFF } = env();
  const row = await reserveRow(caller, choice, {
    time_zone: TIME_ZONE,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    backoff: REFUSAL_BACKOFF,
  });
  if (row.outcome === "invalid_key") throw new ApiError("invalid_key");
  if (row.outcome === "forbidden") throw new ApiError("scope_missing", { scope: "consume" });
  if (row.stale_use && row.key_id !== null) noteKeyUse(row.key_id, null);
  if (row.outcome === "empty") return null;
  return {
    item: serializeQueueItem(row),
    lease: row.lease_id,
    expires_at: row.lease_expires_at,
    deliveries: row.deliveries,
  };
}
