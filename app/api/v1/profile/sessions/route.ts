import { SessionList } from "#lib/accounts/member-schema.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { listSessions } from "#lib/accounts/sessions.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile/sessions", {
  GET: operation({
    id: "listSessions",
    summary: "List your sessions",
    description: "Signed-in browsers and scripts, last used first.",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    responses: { 200: SessionList },
    handle: async ({ principal }) => ok(await listSessions(principal.member_id, principal.session_id)),
  }),
});
