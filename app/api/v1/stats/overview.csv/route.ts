import { z } from "zod";
import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";
import { exportOverview } from "#lib/stats/export-overview.ts";
import { OverviewCsvQuery } from "#lib/stats/overview-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/overview.csv", {
  GET: operation({
    id: "exportStatsOverview",
    summary: "Export the overview",
    description: "One figure per line. Cells that a spreadsheet would run as a formula are escaped.",
    tag: "Statistics",
    scope: "read",
    query: OverviewCsvQuery,
    responses: { 200: z.string() },
    contentType: "text/csv",
    handle: ({ query: { section, ...range } }) =>
      Promise.resolve(
        csvReply(
          `${section ? "statistics" : "overview"}-${range.from}-${range.to}.csv`,
          exportOverview(range, section),
        ),
      ),
  }),
});
