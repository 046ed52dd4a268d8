import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getStats } from "#lib/stats/get-stats.ts";
import { Stats } from "#lib/stats/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats", {
  GET: operation({
    id: "getStats",
    summary: "Figures of the service",
    tag: "Statistics",
    scope: "read",
    responses: { 200: Stats },
    handle: async () => ok(await getStats()),
  }),
});
