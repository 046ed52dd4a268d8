import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getPostStats } from "#lib/stats/get-stats.ts";
import { PostStats } from "#lib/stats/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/posts", {
  GET: operation({
    id: "getPostStats",
    summary: "Posts by state, medium, host and the last 24 hours",
    tag: "Statistics",
    scope: "read",
    responses: { 200: PostStats },
    handle: async () => ok(await getPostStats()),
  }),
});
