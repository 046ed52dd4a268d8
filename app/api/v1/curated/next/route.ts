import { operation, noContent, ok, routes } from "#lib/accounts/route.ts";
import { ReserveQuery } from "#lib/queue/pool.ts";
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
    query: ReserveQuery,
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
      const reservation = await reserveNext(caller, query);
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
