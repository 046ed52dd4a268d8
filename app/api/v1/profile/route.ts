import { Profile } from "#lib/accounts/member-schema.ts";
import { getProfile } from "#lib/accounts/profile.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/profile", {
  GET: operation({
    id: "getProfile",
    summary: "Get your own profile",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    responses: { 200: Profile },
    handle: async ({ principal }) => ok(await getProfile(principal.member_id)),
  }),
});
