import { z } from "zod";
import { hashKey, keyOf } from "#lib/auth/authenticate.ts";
import type { InlineCaller, Principal } from "#lib/auth/principal.ts";
import { ApiError } from "#lib/errors.ts";
import { lenientBoolean } from "#lib/http/fields.ts";
import { inlineOperation, noContent, ok, operation } from "#lib/http/route.ts";
import type { manualMoves } from "./move-entry.ts";
import { moveEntry } from "./move-entry.ts";
import { QueueItem } from "./schema.ts";
import { reserveNext } from "./reserve-next.ts";
import { settleReservation } from "./settle-reservation.ts";

/** How long a consumer should wait after "nothing to hand out", in seconds. */
const EMPTY_RETRY_SECONDS = 30;
const tag = "Curated queue";

export const unknownPost = (raw: string) => new ApiError("queue_post_not_found", { id: raw });

/** A caller for the queue's own functions, made of a principal that was already checked. */
export function callerOf(principal: Principal, request: Request): InlineCaller {
  const key = keyOf(request.headers);
  return principal.kind === "key" && key !== null
    ? { key_hash: hashKey(key), member_id: null, label: null }
    : { key_hash: null, member_id: principal.member_id, label: principal.label };
}

export const nextOperation = inlineOperation({
  summary: "Reserve the next post",
  description:
    "Leases the oldest (or a random) eligible post to the caller. Ack, nack or report an error before the lease " +
    "ends, or it goes back to the queue.",
  tag,
  auth: "inline",
  scope: "consume",
  noHead: true,
  query: z.object({
    random: lenientBoolean("Select a random eligible post instead of the oldest.").optional(),
    include_topical: lenientBoolean("Prefer posts that match today's topical rules.").optional(),
    topical_only: lenientBoolean(
      "With include_topical: 204 rather than a post that is not topical.",
    ).optional(),
  }),
  responses: { 200: QueueItem, 204: null },
  headers: {
    200: {
      ETag: "The reservation, for `If-Match` on ack, nack, error and extend.",
      "X-Reservation-Id": "The same, without quotes.",
      "X-Reservation-Expires-At": "When the post is offered again unless it was settled, ISO 8601.",
      "X-Delivery-Count": "How often this post was handed out, this time included.",
    },
    204: { "Retry-After": "Seconds to wait before asking again." },
  },
  handle: async ({ caller, query }) => {
    const reservation = await reserveNext(caller, {
      random: query.random ?? false,
      include_topical: query.include_topical ?? false,
      topical_only: query.topical_only ?? false,
    });
    if (reservation === null) return noContent({ "Retry-After": String(EMPTY_RETRY_SECONDS) });
    return ok(reservation.item, {
      ETag: `"${reservation.lease}"`,
      "X-Reservation-Id": reservation.lease,
      "X-Reservation-Expires-At": reservation.expires_at.toISOString(),
      "X-Delivery-Count": String(reservation.deliveries),
    });
  },
});

/** ack, nack and extend: the key is checked in the same round trip as the change. */
export function settleOperation(move: "ack" | "nack" | "extend", summary: string, description: string) {
  return inlineOperation({
    summary,
    description,
    tag,
    auth: "inline",
    scope: "consume",
    ids: ["post_id"],
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state", "stale_reservation"],
    handle: async ({ caller, params, raw, request }) => {
      const row = await settleReservation(caller, params.post_id, raw.post_id ?? "", {
        move,
        scope: "consume",
        if_match: request.headers.get("if-match"),
      });
      return noContent(
        move === "extend" && row.lease_expires_at
          ? { "X-Reservation-Expires-At": row.lease_expires_at.toISOString() }
          : {},
      );
    },
  });
}

/** requeue, mark-delivered, offer-again: moves by hand. */
export function moveOperation(
  move: keyof typeof manualMoves,
  scope: "manage" | "review",
  summary: string,
  description: string,
) {
  return operation({
    summary,
    description,
    tag,
    scope,
    boundKeys: "own",
    ids: ["post_id"],
    notFound: unknownPost,
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state"],
    handle: async ({ principal, params, raw }) => {
      await moveEntry(principal, params.post_id, raw.post_id ?? "", move);
      return noContent();
    },
  });
}
