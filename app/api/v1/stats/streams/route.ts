import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getStreamStats } from "#lib/stats/get-stats.ts";
import { StreamStats } from "#lib/stats/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/streams", {
  GET: operation({
    id: "getStreamStats",
    summary: "Figures of every stream",
    tag: "Statistics",
    scope: "read",
    responses: { 200: StreamStats },
    handle: async () => ok(await getStreamStats()),
  }),
});
