import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import { cleanupDelivered, countDelivered } from "#lib/queue/cleanup-delivered.ts";
import { Deleted, wholeDays } from "#lib/queue/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/cleanup", {
  POST: operation({
    id: "cleanUpDelivered",
    summary: "Delete delivered posts",
    description:
      "Deletes delivered posts older than `retention_days`; 0 deletes all of them. All-time figures still count them. " +
      "There is no undo.",
    tag: "Queue",
    scope: "manage",
    dryRun: "Return the number of posts that would be deleted without deleting them.",
    query: z.object({
      retention_days: wholeDays(
        7,
        0,
        "retention_days_not_integer",
        "retention_days_negative",
        "Delete posts that were delivered longer ago than this.",
      ),
      as_of: asOfQuery,
    }),
    responses: { 200: Deleted },
    errors: ["retention_days_negative", "retention_days_not_integer"],
    handle: async ({ principal, query, dryRun }) => {
      const { retention_days, as_of } = query;
      if (dryRun) return ok({ deleted: 0, ...(await countDelivered(retention_days)) });
      const { deleted } = await cleanupDelivered(principal, retention_days, { as_of });
      return ok({ deleted });
    },
  }),
});
