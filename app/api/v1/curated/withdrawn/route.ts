import { ok, operation, routes } from "#lib/accounts/route.ts";
import { WithdrawnPosts, WithdrawnQuery } from "#lib/queue/schema.ts";
import { listWithdrawn } from "#lib/queue/withdrawn.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/withdrawn", {
  GET: operation({
    id: "listWithdrawnPosts",
    summary: "List the posts that were withdrawn after a bot had them",
    description:
      "Newest first: the author deleted the post or refused, or a person deleted it here. Undo its boost.",
    tag: "Queue",
    scope: "consume",
    query: WithdrawnQuery,
    responses: { 200: WithdrawnPosts },
    handle: async ({ query }) => ok(await listWithdrawn(query)),
  }),
});
