import { signOutEverywhere } from "#lib/accounts/accounts.ts";
import { noContent, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/{id}/sign-out", {
  POST: operation({
    id: "signOutMember",
    summary: "End all sessions of a member",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    ids: ["id"],
    responses: { 204: null },
    errors: ["member_not_found"],
    handle: async ({ principal, params }) => {
      await signOutEverywhere(principal, params.id);
      return noContent();
    },
  }),
});
