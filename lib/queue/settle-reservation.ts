import { noteKeyUse } from "#lib/auth/note-key-use.ts";
import type { Scope } from "#lib/auth/permissions.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/http/errors.ts";
import { settleRow, type SettlementRow } from "./sql.ts";
import { expectedState } from "./states.ts";

export interface Settlement {
  move: "ack" | "nack" | "error" | "extend" | "release";
  scope: Scope;
  /** Value of `If-Match`, null when the caller does not fence. */
  if_match: string | null;
  reason?: string;
  details?: object | null;
}

/**
 * Ends (or extends) a reservation: one conditional update, whoever the caller is. A reservation whose time is
 * over but that nobody has swept can still be settled.
 * @param rawId the id as it stands in the path, for the 404 text; `postId` is 0 when it is no id at all.
 * @param tx when something else is to be done or undone with it
 * @throws invalid_key, scope_missing, queue_post_not_found, wrong_state, stale_reservation.
 */
export async function settleReservation(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  settlement: Settlement,
  tx?: Tx,
): Promise<SettlementRow> {
  const { RESERVE_TIMEOUT_SECONDS, REFUSAL_BACKOFF } = env();
  const lease = leasesOf(settlement.if_match);
  const options = {
    lease,
    reason: settlement.reason ?? null,
    details: settlement.details ?? null,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    backoff: REFUSAL_BACKOFF,
  };
  const row = await settleRow(caller, settlement.scope, postId, settlement.move, options, tx);
  switch (row.outcome) {
    case "ok":
      break;
    case "invalid_key":
      throw new ApiError("invalid_key");
    case "forbidden":
      throw new ApiError("scope_missing", { scope: settlement.scope });
    case "not_found":
      throw new ApiError("queue_post_not_found", { id: rawId });
    case "conflict":
      throw new ApiError("wrong_state", { state: row.state ?? "", expected: expectedState(settlement.move) });
    case "stale":
      if (lease !== null) throw new ApiError("stale_reservation");
      // Who names no reservation has none that is stale: it was waiting at the first look, and reserved at the second.
      throw new ApiError("wrong_state", { state: "pending", expected: expectedState(settlement.move) });
  }
  if (row.stale_use && row.key_id !== null) noteKeyUse(row.key_id, null);
  return row;
}

/** Leases named by `If-Match` (RFC 9110 §13.1.1: a list of entity tags, or `*`), comma-separated; null = any. */
export function leasesOf(ifMatch: string | null): string | null {
  if (ifMatch === null || ifMatch.trim() === "*") return null;
  return ifMatch
    .split(",")
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\//, "")
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase(),
    )
    .join(",");
}
