import { ok, operation, routes } from "#lib/http/route.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { Overview, OverviewQuery } from "#lib/stats/overview-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/overview", {
  GET: operation({
    id: "getStatsOverview",
    summary: "Compare a range of days with the one before",
    description:
      "Waiting times, reviewers, streams, hosts, authors, reasons for drops and rejections, and the runway of the queue. UTC days, " +
      "both included, at most 92; the last seven when nothing is named.",
    tag: "Statistics",
    scope: "read",
    query: OverviewQuery,
    responses: { 200: Overview },
    handle: async ({ query }) => ok(await getOverview(query)),
  }),
});
