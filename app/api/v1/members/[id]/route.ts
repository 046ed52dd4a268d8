import { updateMember } from "#lib/accounts/accounts.ts";
import { Member, MemberUpdate } from "#lib/accounts/member-schema.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/{id}", {
  PATCH: operation({
    id: "updateMember",
    summary: "Change a member's name or role, or disable or enable the member",
    description: "Takes effect on the next request of the member and of the member's keys.",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    ids: ["id"],
    body: MemberUpdate,
    responses: { 200: Member },
    errors: ["member_not_found", "last_admin"],
    handle: async ({ principal, params, body }) => ok(await updateMember(principal, params.id, body)),
  }),
});
