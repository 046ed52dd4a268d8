import { ok, operation, routes } from "#lib/http/route.ts";
import { checkSourcesAfterResponse } from "#lib/jobs/after-response.ts";
import { runBatch } from "#lib/review/batches.ts";
import { BatchRequest, BatchResult } from "#lib/review/batch-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/batch", {
  POST: operation({
    id: "reviewBatch",
    summary: "Decide on many posts",
    description:
      "At most 500 posts by id, or up to 10 000 that match a filter. All in one transaction, with one line in the log; " +
      "posts that cannot or need not change are named in `unchanged`.",
    tag: "Review",
    scope: "review",
    body: BatchRequest,
    responses: { 200: BatchResult },
    errors: ["action_done", "preview_not_valid"],
    handle: async ({ principal, body }) => {
      const result = await runBatch(principal, body);
      await checkSourcesAfterResponse();
      return ok(result);
    },
  }),
});
