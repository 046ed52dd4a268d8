import { dismissSuggestion } from "#lib/blocking/suggestions.ts";
import { noContent, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/block-suggestions/{id}", {
  DELETE: operation({
    id: "dismissBlockSuggestion",
    summary: "Dismiss a suggested block",
    tag: "Blocking",
    scope: "manage",
    ids: ["id"],
    responses: { 204: null },
    errors: ["suggestion_not_found"],
    handle: async ({ principal, params }) => {
      await dismissSuggestion(principal, params.id);
      return noContent();
    },
  }),
});
