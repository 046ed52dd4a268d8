import { routes } from "#lib/http/route.ts";
import { invitationCollection } from "#lib/members/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/members/invitations",
  invitationCollection,
);
