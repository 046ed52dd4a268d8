import { noContent, operation, routes } from "#lib/http/route.ts";
import { withdrawInvitation } from "#lib/members/invitations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/invitations/{id}", {
  DELETE: operation({
    id: "withdrawInvitation",
    summary: "Withdraw an invitation",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    ids: ["id"],
    responses: { 204: null },
    errors: ["invitation_not_found"],
    handle: async ({ principal, params }) => {
      await withdrawInvitation(principal, params.id);
      return noContent();
    },
  }),
});
