import { callerOf } from "#lib/queue/api.ts";
import { releaseReservation } from "#lib/queue/release-reservation.ts";
import { noContent, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/release", {
  POST: operation({
    id: "releaseReservation",
    summary: "Release a reservation",
    description:
      "reserved → pending without counting as a refusal. A later ack is answered with 409, unless it names the reservation in If-Match and nobody else has had the post.",
    tag: "Queue",
    scope: "manage",
    boundKeys: "own",
    ids: ["post_id"],
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state"],
    handle: async ({ principal, params, raw, request }) => {
      await releaseReservation(principal, callerOf(principal, request), params.post_id, raw.post_id ?? "");
      return noContent();
    },
  }),
});
