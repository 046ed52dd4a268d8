import { noteKeyUse } from "#lib/auth/note-key-use.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import type { QueueItem } from "./schema.ts";
import { serializeQueueItem } from "./serialize.ts";
import { gather } from "./gather.ts";
import { reserveRow, reserveRows, type ReserveChoice, type ReservedRow } from "./sql.ts";

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
  const row = await reserve(caller, choice);
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

/** Keys that wish the same go together; members' own calls, and what cannot be done so, are calls of their own. */
async function reserve(caller: InlineCaller, choice: ReserveChoice): Promise<ReservedRow> {
  const row = caller.key_hash === null ? null : await lineOf(choice)(caller);
  return row ?? reserveAlone(caller, choice);
}

type Line = (caller: InlineCaller) => Promise<ReservedRow | null>;
const lines = new Map<string, Line>();

/** Where callers of this wish wait for each other. */
function lineOf({ random, include_topical, topical_only }: ReserveChoice): Line {
  // Without the topical ones there is nothing to be restricted to.
  const choice = { random, include_topical, topical_only: include_topical && topical_only };
  const name = Object.values(choice).join();
  const line = lines.get(name) ?? gather((callers: InlineCaller[]) => reserveTogether(callers, choice));
  lines.set(name, line);
  return line;
}

async function reserveTogether(
  callers: InlineCaller[],
  choice: ReserveChoice,
): Promise<(ReservedRow | null)[]> {
  const [caller] = callers;
  if (caller !== undefined && callers.length === 1) return [await reserveAlone(caller, choice)];
  return reserveRows(callers, choice, settings());
}

function reserveAlone(caller: InlineCaller, choice: ReserveChoice): Promise<ReservedRow> {
  return reserveRow(caller, choice, settings());
}

function settings() {
  const { TIME_ZONE, RESERVE_TIMEOUT_SECONDS, REFUSAL_BACKOFF } = env();
  return { time_zone: TIME_ZONE, timeout_seconds: RESERVE_TIMEOUT_SECONDS, backoff: REFUSAL_BACKOFF };
}
