import { ok, operation, routes } from "#lib/accounts/route.ts";
import { DecisionResults, Decisions } from "#lib/review/decision-schema.ts";
import { applyDecisions } from "#lib/review/decisions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/decisions", {
  POST: operation({
    id: "sendDecisions",
    summary: "Send decisions",
    description:
      "Applied in order, each `id` once: a repeated request after a broken connection changes nothing and gives " +
      "the first answer again. `undo` takes your last decision on the post back until it is handed out.",
    tag: "Review",
    scope: "review",
    body: Decisions,
    responses: { 200: DecisionResults },
    handle: async ({ principal, body }) => {
      const results = await applyDecisions(principal, body.decisions);
      return ok({ results });
    },
  }),
});
