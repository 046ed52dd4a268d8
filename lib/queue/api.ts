import { hashKey, keyOf } from "#lib/accounts/api-key.ts";
import { noContent, operation } from "#lib/accounts/route.ts";
import type { InlineCaller, Principal } from "#lib/base/http/principal.ts";
import type { manualMoves } from "./move-entry.ts";
import { moveEntry } from "./move-entry.ts";
import { retryAfter } from "./retry-after.ts";
import { settleReservation } from "./settle-reservation.ts";

const tag = "Queue";

/** The caller, for SQL functions that check the key themselves. */
export function callerOf(principal: Principal, request: Request): InlineCaller {
  const key = keyOf(request.headers);
  return principal.kind === "key" && key !== null
    ? { key_hash: hashKey(key), member_id: null, label: null }
    : { key_hash: null, member_id: principal.member_id, label: principal.label };
}

const settledHeaders = {
  ack: {},
  nack: {
    "Retry-After": "Seconds to wait before the next reservation: until the post is offered again, 1 to 30.",
  },
  extend: { "X-Reservation-Expires-At": "The new end of the reservation, ISO 8601." },
};

/** Declares ack, nack or extend. The key is checked in the same round trip. */
export function settleOperation(
  id: string,
  move: "ack" | "nack" | "extend",
  summary: string,
  description: string,
) {
  return operation({
    id,
    summary,
    description,
    tag,
    auth: "inline",
    scope: "consume",
    ids: ["post_id"],
    responses: { 204: null },
    headers: { 204: settledHeaders[move] },
    errors: [
      ...(["queue_post_not_found", "wrong_state", "stale_reservation"] as const),
      ...(move === "extend" ? (["extend_limit"] as const) : []),
    ],
    handle: async ({ caller, params, raw, request }) => {
      const row = await settleReservation(caller, params.post_id, raw.post_id ?? "", {
        move,
        if_match: request.headers.get("if-match"),
      });
      if (move === "nack") return noContent({ "Retry-After": retryAfter(row.lease_expires_at, 1) });
      return noContent(
        row.lease_expires_at ? { "X-Reservation-Expires-At": row.lease_expires_at.toISOString() } : {},
      );
    },
  });
}

/** Declares the move of one entry by an operator. */
export function moveOperation(
  id: string,
  move: keyof typeof manualMoves,
  scope: "manage" | "review",
  summary: string,
  description: string,
) {
  return operation({
    id,
    summary,
    description,
    tag,
    scope,
    ids: ["post_id"],
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state"],
    handle: async ({ principal, params, raw }) => {
      await moveEntry(principal, params.post_id, raw.post_id ?? "", move);
      return noContent();
    },
  });
}
