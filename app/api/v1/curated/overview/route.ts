import { ok, operation, routes } from "#lib/accounts/route.ts";
import { QueueOverview } from "#lib/queue/overview-schema.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/overview", {
  GET: operation({
    id: "getQueueOverview",
    summary: "Get an overview of the queue",
    description: "Counts, the next posts in order, reservations, held and refused posts, and the runway.",
    tag: "Queue",
    scope: "read",
    responses: { 200: QueueOverview },
    handle: async () => ok(await queueOverview()),
  }),
});
