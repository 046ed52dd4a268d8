import { z } from "zod";
import { addBlockedUser } from "#lib/filters/add-blocked-user.ts";
import { listBlockedUsers } from "#lib/filters/list-blocked-users.ts";
import { BlockedUser, BlockedUserCreate, BlockListQuery } from "#lib/filters/schema.ts";
import { created, ok, operation, routes } from "#lib/http/route.ts";

const tag = "Reblog controls";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-users", {
  GET: operation({
    summary: "List blocked users",
    description:
      "In order of id; everything up to 10 000 entries unless a page is asked for. `X-Total-Count` says how many " +
      "there are. `matches` counts the posts an entry has auto-rejected or holds now.",
    tag,
    scope: "read",
    query: BlockListQuery,
    responses: { 200: z.array(BlockedUser) },
    headers: { 200: { "X-Total-Count": "How many entries there are." } },
    handle: async ({ query }) => {
      const { items, total } = await listBlockedUsers(query);
      return ok(items, { "X-Total-Count": String(total) });
    },
  }),
  POST: operation({
    summary: "Block a user or a pattern of users",
    description:
      "`exact`: `@user@host`, `user@host` or the address of a profile. `suffix`, `prefix` and `contains` are " +
      "compared with `user@host` in lower case; a `*` at the open end is taken off. Waiting posts are held before " +
      "the answer, or within seconds when there are very many.",
    tag,
    scope: "manage",
    body: BlockedUserCreate,
    responses: { 201: BlockedUser },
    errors: ["pattern_exists"],
    handle: async ({ principal, body }) => created(await addBlockedUser(principal, body)),
  }),
});
