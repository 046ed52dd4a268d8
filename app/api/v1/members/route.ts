import { z } from "zod";
import { createMember, listMembers } from "#lib/accounts/accounts.ts";
import { Member, MemberCreate, MemberList } from "#lib/accounts/member-schema.ts";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";
import { paging } from "#lib/base/http/fields.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/members", {
  GET: operation({
    id: "listMembers",
    summary: "List members",
    tag: "Members",
    scope: "manage",
    query: z.object(paging()),
    responses: { 200: MemberList },
    handle: async ({ query }) => ok(await listMembers(query)),
  }),
  POST: operation({
    id: "createMember",
    summary: "Add a member with a password",
    description: "With an invitation instead, only the new member knows the password.",
    tag: "Members",
    scope: "manage",
    sessionOnly: true,
    body: MemberCreate,
    responses: { 201: Member },
    headers: { 201: { Location: "The new member's address." } },
    errors: ["member_exists"],
    handle: async ({ principal, body }) => {
      const member = await createMember(principal, body);
      return created(member, `/api/v1/members/${member.id}`);
    },
  }),
});
