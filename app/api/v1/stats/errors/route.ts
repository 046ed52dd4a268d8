import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getErrorStats } from "#lib/stats/get-stats.ts";
import { ErrorStats } from "#lib/stats/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/errors", {
  GET: operation({
    id: "getErrorStats",
    summary: "Failed posts by reason, and reported duplicates",
    tag: "Statistics",
    scope: "read",
    responses: { 200: ErrorStats },
    handle: async () => ok(await getErrorStats()),
  }),
});
