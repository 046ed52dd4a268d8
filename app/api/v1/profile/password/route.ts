import { PasswordChange } from "#lib/accounts/member-schema.ts";
import { changePassword } from "#lib/accounts/profile.ts";
import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { freshSessionCookie } from "#lib/accounts/session.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/password", {
  POST: operation({
    id: "changePassword",
    summary: "Change your password",
    description: "Ends all sessions but this one, which gets a new cookie.",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    body: PasswordChange,
    responses: { 204: null },
    errors: ["wrong_password", "busy"],
    handle: async ({ principal, body, request }) => {
      const session = await changePassword(principal, principal.session_id, body, request.headers);
      return noContent({ "Set-Cookie": await freshSessionCookie(principal.member_id, session) });
    },
  }),
});
