import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import { Trimmed, wholeDays } from "#lib/queue/schema.ts";
import { planTrim, trimPending } from "#lib/queue/trim-pending.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/trim-pending", {
  POST: operation({
    id: "trimPending",
    summary: "Trim pending posts",
    description:
      "Removes pending posts beyond twice the recent daily delivery rate, by weighted random choice. There is no undo.",
    tag: "Queue",
    scope: "manage",
    dryRun: "Return the number of posts that would be removed without removing them.",
    query: z.object({
      lookback_days: wholeDays(
        3,
        1,
        "lookback_days_not_integer",
        "lookback_days_below_one",
        "Days of deliveries from which the target is computed.",
      ),
      as_of: asOfQuery,
    }),
    responses: { 200: Trimmed },
    errors: ["lookback_days_below_one", "lookback_days_not_integer"],
    handle: async ({ principal, query, dryRun }) => {
      if (dryRun) return ok({ deleted: 0, ...(await planTrim(query.lookback_days)) });
      return ok(await trimPending(principal, query.lookback_days, query.as_of));
    },
  }),
});
