import { z } from "zod";
import { operation, noContent, ok, routes } from "#lib/accounts/route.ts";
import { lenientBoolean, MAX_ID, queryInteger } from "#lib/base/http/fields.ts";
import { reserveNext } from "#lib/queue/reserve-next.ts";
import { retryAfter } from "#lib/queue/retry-after.ts";
import { QueueItem } from "#lib/queue/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/next", {
  GET: operation({
    id: "reserveNext",
    summary: "Reserve the next post",
    description:
      "Leases the oldest (or a random) eligible post to the caller. Ack, nack or report an error before the lease " +
      "ends, or it goes back to the queue.",
    tag: "Queue",
    auth: "inline",
    scope: "consume",
    noHead: true,
    query: z.object({
      random: lenientBoolean("Select a random eligible post instead of the oldest.").optional(),
      include_topical: lenientBoolean("Prefer posts that match today's topical rules.").optional(),
      topical_only: lenientBoolean(
        "With include_topical: 204 rather than a post that is not topical.",
      ).optional(),
      stream_id: queryInteger(1, MAX_ID, "Only posts of this stream.").optional(),
    }),
    errors: ["stream_not_found"],
    responses: { 200: QueueItem, 204: null },
    headers: {
      200: {
        ETag: "The reservation, for `If-Match` on ack, nack, error and extend.",
        "X-Reservation-Id": "The same, without quotes.",
        "X-Reservation-Expires-At": "When the post is offered again unless it was settled, ISO 8601.",
        "X-Delivery-Count": "How often this post was handed out, this time included.",
      },
      204: {
        "Retry-After": "Seconds to wait, up to 30.",
      },
    },
    handle: async ({ caller, query }) => {
      const reservation = await reserveNext(caller, {
        random: query.random ?? false,
        include_topical: query.include_topical ?? false,
        topical_only: query.topical_only ?? false,
        stream_id: query.stream_id ?? null,
      });
      if ("kept_back_until" in reservation)
        return noContent({ "Retry-After": retryAfter(reservation.kept_back_until) });
      return ok(reservation.item, {
        ETag: `"${reservation.lease}"`,
        "X-Reservation-Id": reservation.lease,
        "X-Reservation-Expires-At": reservation.expires_at.toISOString(),
        "X-Delivery-Count": String(reservation.deliveries),
      });
    },
  }),
});
