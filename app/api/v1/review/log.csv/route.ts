import { z } from "zod";
import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";
import { exportLog } from "#lib/review/log.ts";
import { ReviewLogFilter } from "#lib/review/log-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/log.csv", {
  GET: operation({
    id: "exportReviews",
    summary: "Export the review log",
    description:
      "All lines that match, newest first. Cells that a spreadsheet would run as a formula are escaped.",
    tag: "Logs",
    scope: "read",
    query: ReviewLogFilter,
    responses: { 200: z.string() },
    contentType: "text/csv",
    handle: ({ query }) => Promise.resolve(csvReply("review-log.csv", exportLog(query))),
  }),
});
