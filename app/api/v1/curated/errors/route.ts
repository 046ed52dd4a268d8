import { ok, operation, routes } from "#lib/accounts/route.ts";
import { FailedPosts, FailedQuery } from "#lib/review/failed-schema.ts";
import { listFailedPosts } from "#lib/review/failed-posts.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/errors", {
  GET: operation({
    id: "listFailedPosts",
    summary: "List failed posts",
    description:
      "The posts of a reason, those reported as duplicates, or the newest three of each reason, with the key that reported them.",
    tag: "Queue",
    scope: "read",
    query: FailedQuery,
    responses: { 200: FailedPosts },
    handle: async ({ query }) => ok(await listFailedPosts(query)),
  }),
});
