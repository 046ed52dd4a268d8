import { ok, operation, routes } from "#lib/accounts/route.ts";
import { requeueErrors } from "#lib/queue/error-groups.ts";
import { ErrorBatch, ErrorGroup } from "#lib/queue/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/errors/requeue", {
  POST: operation({
    id: "requeueFailedPosts",
    summary: "Requeue a group of failed posts",
    description: "The oldest `limit` posts that failed for this reason.",
    tag: "Queue",
    scope: "manage",
    body: ErrorGroup,
    responses: { 200: ErrorBatch },
    handle: async ({ principal, body }) => ok(await requeueErrors(principal, body)),
  }),
});
