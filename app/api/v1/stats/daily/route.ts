import { ok, operation, routes } from "#lib/http/route.ts";
import { getDailyStats } from "#lib/stats/get-stats.ts";
import { DailyQuery, DailyStats } from "#lib/stats/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/daily", {
  GET: operation({
    id: "getDailyStats",
    summary: "Get figures by day",
    description: "UTC days, oldest first, including days without events.",
    tag: "Statistics",
    scope: "read",
    query: DailyQuery,
    responses: { 200: DailyStats },
    handle: async ({ query }) => ok(await getDailyStats(query.days)),
  }),
});
