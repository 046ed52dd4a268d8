import { z } from "zod";
import { clientAddress } from "#lib/auth/client-address.ts";
import { freshSessionCookie } from "#lib/auth/session-token.ts";
import { ApiError } from "#lib/errors.ts";
import { paging } from "#lib/http/fields.ts";
import { created, noContent, ok, operation } from "#lib/http/route.ts";
import { changePassword } from "./change-password.ts";
import { createInvitation } from "./create-invitation.ts";
import { createMember } from "./create-member.ts";
import { createResetLink } from "./create-reset-link.ts";
import { getProfile } from "./get-profile.ts";
import { listInvitations } from "./list-invitations.ts";
import { getMember, listMembers } from "./list-members.ts";
import {
  InvitationCreate,
  InvitationCreated,
  InvitationList,
  Member,
  MemberCreate,
  MemberList,
  MemberUpdate,
  PasswordChange,
  Profile,
  ProfileUpdate,
  ResetLink,
} from "./schema.ts";
import { signOutEverywhere } from "./sign-out-everywhere.ts";
import { updateMember } from "./update-member.ts";
import { updateProfile } from "./update-profile.ts";
import { withdrawInvitation } from "./withdraw-invitation.ts";

/*
 * Whatever makes or changes a member needs a session: a key that could invite an admin would be stronger than
 * its scopes say.
 */

const people = { tag: "Members", scope: "manage" } as const;
const own = { tag: "Profile", scope: "read", sessionOnly: true } as const;
const one = { ...people, ids: ["id"], notFound: () => new ApiError("member_not_found") } as const;

/** Operations of `/members`. */
export const memberCollection = {
  GET: operation({
    summary: "List members",
    ...people,
    query: z.object(paging()),
    responses: { 200: MemberList },
    handle: async ({ query }) => ok(await listMembers(query)),
  }),
  POST: operation({
    summary: "Add a member with a password",
    description: "An invitation is the usual way: then nobody but the new member ever knows the password.",
    ...people,
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
};

/** Operations of `/members/{id}`. */
export const memberItem = {
  GET: operation({
    summary: "Get a member",
    ...one,
    responses: { 200: Member },
    errors: ["member_not_found"],
    handle: async ({ params }) => ok(await getMember(params.id)),
  }),
  PATCH: operation({
    summary: "Change a member's name or role, disable or enable",
    description: "Acts on the member's next request and on every key they made.",
    ...one,
    sessionOnly: true,
    body: MemberUpdate,
    responses: { 200: Member },
    errors: ["member_not_found", "last_admin"],
    handle: async ({ principal, params, body }) => ok(await updateMember(principal, params.id, body)),
  }),
};

export const resetLinkOperation = operation({
  summary: "Make a link to set a new password",
  description:
    "Good once and for 24 hours; the answer is the only place it is shown. Ends links made before.",
  ...one,
  sessionOnly: true,
  responses: { 201: ResetLink },
  errors: ["member_not_found"],
  handle: async ({ principal, params }) => created(await createResetLink(principal, params.id)),
});

export const memberSignOutOperation = operation({
  summary: "End all sessions of a member",
  ...one,
  sessionOnly: true,
  responses: { 204: null },
  errors: ["member_not_found"],
  handle: async ({ principal, params }) => {
    await signOutEverywhere(principal, params.id);
    return noContent();
  },
});

/** Operations of `/members/invitations`. */
export const invitationCollection = {
  GET: operation({
    summary: "List open invitations",
    ...people,
    responses: { 200: InvitationList },
    handle: async () => ok(await listInvitations()),
  }),
  POST: operation({
    summary: "Invite somebody",
    description: "The link is good once and for 7 days, and shown this once. Inviting again makes a new one.",
    ...people,
    sessionOnly: true,
    body: InvitationCreate,
    responses: { 201: InvitationCreated },
    errors: ["member_exists"],
    handle: async ({ principal, body }) => created(await createInvitation(principal, body)),
  }),
};

export const withdrawOperation = operation({
  summary: "Withdraw an invitation",
  ...people,
  sessionOnly: true,
  ids: ["id"],
  notFound: () => new ApiError("invitation_not_found"),
  responses: { 204: null },
  errors: ["invitation_not_found"],
  handle: async ({ principal, params }) => {
    await withdrawInvitation(principal, params.id);
    return noContent();
  },
});

/** Operations of `/profile`. */
export const profileItem = {
  GET: operation({
    summary: "Get your own profile",
    ...own,
    responses: { 200: Profile },
    handle: async ({ principal }) => ok(await getProfile(principal.member_id)),
  }),
  PATCH: operation({
    summary: "Change your own profile",
    ...own,
    body: ProfileUpdate,
    responses: { 200: Profile },
    errors: ["last_way_in"],
    handle: async ({ principal, body }) => ok(await updateProfile(principal, body)),
  }),
};

export const passwordOperation = operation({
  summary: "Change your password",
  description: "Ends all sessions but this one, which gets a new cookie.",
  ...own,
  body: PasswordChange,
  responses: { 204: null },
  errors: ["wrong_password", "busy"],
  handle: async ({ principal, body, request }) => {
    const session = await changePassword(principal, body, clientAddress(request.headers));
    return noContent({ "Set-Cookie": await freshSessionCookie(session) });
  },
});

export const signOutOperation = operation({
  summary: "End all your sessions",
  description: "This one too.",
  ...own,
  responses: { 204: null },
  handle: async ({ principal }) => {
    await signOutEverywhere(principal, principal.member_id);
    return noContent();
  },
});
