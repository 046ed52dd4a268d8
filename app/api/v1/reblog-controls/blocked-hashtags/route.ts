import { z } from "zod";
import { addBlockedHashtag } from "#lib/filters/add-blocked-hashtag.ts";
import { listBlockedHashtags } from "#lib/filters/list-blocked-hashtags.ts";
import { BlockedHashtag, BlockedHashtagCreate, BlockListQuery } from "#lib/filters/schema.ts";
import { created, ok, operation, routes } from "#lib/http/route.ts";

const tag = "Reblog controls";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-hashtags", {
  GET: operation({
    summary: "List blocked hashtags",
    description:
      "In order of id; everything up to 10 000 entries unless a page is asked for. `X-Total-Count` says how many " +
      "there are. `matches` counts the posts an entry has auto-rejected or holds now.",
    tag,
    scope: "read",
    query: BlockListQuery,
    responses: { 200: z.array(BlockedHashtag) },
    headers: { 200: { "X-Total-Count": "How many entries there are." } },
    handle: async ({ query }) => {
      const { items, total } = await listBlockedHashtags(query);
      return ok(items, { "X-Total-Count": String(total) });
    },
  }),
  POST: operation({
    summary: "Block a hashtag",
    description:
      "Compared as Mastodon compares hashtags: NFKC, lower case, ASCII-folded. Waiting posts are held before the " +
      "answer, or within seconds when there are very many.",
    tag,
    scope: "manage",
    body: BlockedHashtagCreate,
    responses: { 201: BlockedHashtag },
    errors: ["hashtag_blocked_already"],
    handle: async ({ principal, body }) => created(await addBlockedHashtag(principal, body)),
  }),
});
