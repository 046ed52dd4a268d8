import { createResetLink } from "#lib/accounts/links.ts";
import { ResetLink } from "#lib/accounts/member-schema.ts";
import { created, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/{id}/reset-link", {
  POST: operation({
    id: "createResetLink",
    summary: "Make a link to set a new password",
    description: "Valid once, for 24 hours; not shown again. Earlier links become invalid.",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    ids: ["id"],
    responses: { 201: ResetLink },
    errors: ["member_not_found"],
    handle: async ({ principal, params }) => created(await createResetLink(principal, params.id)),
  }),
});
