import { createInvitation } from "#lib/accounts/invitations.ts";
import { listLinks } from "#lib/accounts/links-made.ts";
import { InvitationCreate, InvitationCreated, LinkList } from "#lib/accounts/member-schema.ts";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/links", {
  GET: operation({
    id: "listLinks",
    summary: "List open invitations and reset links",
    description:
      "With the admin who created them. A link stops working when that admin is disabled or is no longer an admin.",
    tag: "Members",
    scope: "manage",
    responses: { 200: LinkList },
    handle: async () => ok(await listLinks()),
  }),
  POST: operation({
    id: "inviteMember",
    summary: "Invite a member",
    description:
      "The link is valid once, for 7 days, and is not shown again. Another invitation creates a new link.",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    body: InvitationCreate,
    responses: { 201: InvitationCreated },
    errors: ["member_exists"],
    handle: async ({ principal, body }) => created(await createInvitation(principal, body)),
  }),
});
