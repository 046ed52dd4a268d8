import { created, ok, operation, routes } from "#lib/http/route.ts";
import { createInvitation, listInvitations } from "#lib/members/invitations.ts";
import { InvitationCreate, InvitationCreated, InvitationList } from "#lib/members/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members/invitations", {
  GET: operation({
    id: "listInvitations",
    summary: "List open invitations",
    tag: "Members",
    scope: "manage",
    responses: { 200: InvitationList },
    handle: async () => ok(await listInvitations()),
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
