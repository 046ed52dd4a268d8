import { z } from "zod";
import { previewErrors, previewToken } from "#lib/actions/schema.ts";
import { cleanupCounted, cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import { Deleted, wholeDays } from "#lib/queue/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/cleanup", {
  POST: operation({
    id: "cleanUpDelivered",
    summary: "Delete delivered posts",
    description:
      "Deletes delivered posts older than `retention_days`; 0 deletes all of them. All-time figures still count them. " +
      "There is no undo; with `preview`, exactly the posts that were counted are deleted.",
    tag: "Queue",
    scope: "manage",
    query: z.object({
      retention_days: wholeDays(
        7,
        0,
        "retention_days_not_integer",
        "retention_days_negative",
        "Delete posts that were delivered longer ago than this.",
      ),
      preview: previewToken,
    }),
    responses: { 200: Deleted },
    errors: ["retention_days_negative", "retention_days_not_integer", ...previewErrors],
    handle: async ({ principal, query }) => {
      const { retention_days, preview } = query;
      const { deleted } =
        preview === undefined
          ? await cleanupDelivered(principal, retention_days)
          : await cleanupCounted(principal, retention_days, preview);
      return ok({ deleted });
    },
  }),
});
