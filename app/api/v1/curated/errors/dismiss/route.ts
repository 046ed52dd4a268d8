import { ok, operation, routes } from "#lib/accounts/route.ts";
import { ErrorBatch, ErrorGroup } from "#lib/queue/schema.ts";
import { dismissErrors } from "#lib/review/failed-posts.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/errors/dismiss", {
  POST: operation({
    id: "rejectFailedPosts",
    summary: "Reject a group of failed posts",
    description: "The oldest `limit` posts that failed for this reason leave the queue as rejected.",
    tag: "Queue",
    scope: "manage",
    body: ErrorGroup,
    responses: { 200: ErrorBatch },
    handle: async ({ principal, body }) => ok(await dismissErrors(principal, body)),
  }),
});
