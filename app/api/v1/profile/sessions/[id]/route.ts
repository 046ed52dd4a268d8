import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { endSession } from "#lib/accounts/sessions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/sessions/{id}", {
  DELETE: operation({
    id: "endSession",
    summary: "End one of your sessions",
    description: "Its cookie is refused from the next request on. Also works for the current session.",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    responses: { 204: null },
    errors: ["session_not_found"],
    handle: async ({ principal, raw }) => {
      await endSession(principal, raw.id ?? "");
      return noContent();
    },
  }),
});
