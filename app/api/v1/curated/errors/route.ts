import { ok, operation, routes } from "#lib/accounts/route.ts";
import { FailedPosts, FailedQuery } from "#lib/review/failed-schema.ts";
import { listFailedPosts } from "#lib/review/failed-posts.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/errors", {
  GET: operation({
    id: "listFailedPosts",
    summary: "List failed posts",
    description:
      "The newest three posts of each reason, or those reported as duplicates, with the key that reported them. " +
      "`GET /posts?error_reason=…` lists all posts of a reason.",
    tag: "Queue",
    scope: "read",
    query: FailedQuery,
    responses: { 200: FailedPosts },
    handle: async ({ query }) => ok(await listFailedPosts(query)),
  }),
});
