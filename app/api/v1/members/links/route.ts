import { ok, operation, routes } from "#lib/http/route.ts";
import { listLinks } from "#lib/members/links-made.ts";
import { LinkList } from "#lib/members/schema.ts";

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
});
