import { ok, operation, routes } from "#lib/http/route.ts";
import { listHeldReservations } from "#lib/queue/held-reservations.ts";
import { HeldReservations } from "#lib/queue/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/mine", {
  GET: operation({
    id: "listMyReservations",
    summary: "List the reservations of the key",
    description:
      "For a consumer that starts again: the posts that it has reserved and not settled. Those of other keys are left out, " +
      "also of keys of the same member. A session gets its member's own.",
    tag: "Queue",
    scope: "consume",
    responses: { 200: HeldReservations },
    handle: async ({ principal }) => ok(await listHeldReservations(principal)),
  }),
});
