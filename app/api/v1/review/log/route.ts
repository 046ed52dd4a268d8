import { ok, operation, routes } from "#lib/accounts/route.ts";
import { ReviewLog, ReviewLogQuery } from "#lib/review/log-schema.ts";
import { listLog } from "#lib/review/log.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/log", {
  GET: operation({
    id: "listReviews",
    summary: "Read the review log",
    description: "Newest first. `next_cursor` of one answer is `cursor` of the next; a batch is one line.",
    tag: "Logs",
    scope: "read",
    query: ReviewLogQuery,
    responses: { 200: ReviewLog },
    handle: async ({ query }) => ok(await listLog(query)),
  }),
});
