import { Profile, ProfileUpdate } from "#lib/accounts/member-schema.ts";
import { getProfile, updateProfile } from "#lib/accounts/profile.ts";
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
  PATCH: operation({
    id: "updateProfile",
    summary: "Change your own profile",
    tag: "Profile",
    scope: "read",
    sessionOnly: true,
    body: ProfileUpdate,
    responses: { 200: Profile },
    errors: ["last_way_in"],
    handle: async ({ principal, body }) => ok(await updateProfile(principal, body)),
  }),
});
