import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { Overview, OverviewQuery } from "#lib/stats/overview-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/overview", {
  GET: operation({
    id: "getStatsOverview",
    summary: "Read the figures of the last days",
    description:
      "Days, supply of the queue, streams, hosts, authors, reviewers, bots and reasons of rejection. Days are those of `TIME_ZONE`.",
    tag: "Statistics",
    scope: "read",
    query: OverviewQuery,
    responses: { 200: Overview },
    handle: async ({ query }) => ok(await getOverview(query.days)),
  }),
});
