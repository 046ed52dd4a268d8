import { callerOf, unknownPost } from "#lib/queue/api.ts";
import { settleReservation } from "#lib/queue/settle-reservation.ts";
import { noContent, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/release", {
  POST: operation({
    summary: "Release a reservation",
    description:
      "reserved → pending without counting as a refusal. A later ack of the consumer is answered with 409.",
    tag: "Curated queue",
    scope: "manage",
    boundKeys: "own",
    ids: ["post_id"],
    notFound: unknownPost,
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state"],
    handle: async ({ principal, params, raw, request }) => {
      await settleReservation(callerOf(principal, request), params.post_id, raw.post_id ?? "", {
        move: "release",
        scope: "manage",
        if_match: null,
      });
      return noContent();
    },
  }),
});
