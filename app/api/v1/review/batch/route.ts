import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import { BatchCount, BatchRequest, BatchResult } from "#lib/review/batch-schema.ts";
import { countBatch, runBatch } from "#lib/review/batches.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/batch", {
  POST: operation({
    id: "reviewBatch",
    summary: "Decide on many posts",
    description:
      "At most 500 posts by id, or up to 10 000 that match a filter. All in one transaction, with one line in the log; " +
      "posts that cannot or need not change are named in `unchanged`.",
    tag: "Review",
    scope: "review",
    dryRun: "Return the answer without changing anything.",
    query: z.object({ as_of: asOfQuery }),
    body: BatchRequest,
    responses: { 200: z.union([BatchResult, BatchCount]) },
    handle: async ({ principal, dryRun, body, query }) => {
      if (dryRun) return ok(await countBatch(body));
      return ok(await runBatch(principal, body, query.as_of));
    },
  }),
});
