import { revokeLink } from "#lib/accounts/links-made.ts";
import { noContent, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/links/{id}", {
  DELETE: operation({
    id: "revokeLink",
    summary: "Revoke an invitation or a reset link",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    ids: ["id"],
    responses: { 204: null },
    errors: ["link_not_found"],
    handle: async ({ principal, params }) => {
      await revokeLink(principal, params.id);
      return noContent();
    },
  }),
});
