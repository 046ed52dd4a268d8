import { signOutEverywhere } from "#lib/accounts/accounts.ts";
import { noContent, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/sign-out", {
  POST: operation({
    id: "signOutEverywhere",
    summary: "End all your sessions",
    description: "Includes the current session.",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    responses: { 204: null },
    handle: async ({ principal }) => {
      await signOutEverywhere(principal, principal.member_id);
      return noContent();
    },
  }),
});
