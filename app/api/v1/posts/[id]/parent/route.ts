import { ok, operation, routes } from "#lib/http/route.ts";
import { Parent } from "#lib/streams/schema.ts";
import { showParent } from "#lib/streams/show-parent.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/parent", {
  GET: operation({
    id: "getParent",
    summary: "Get the parent of a reply",
    description:
      "Sends one request to the post's home server, within its rate limits. The answer is not stored. `outcome` distinguishes posts that are not replies, and parents that are deleted or not public.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    responses: { 200: Parent },
    errors: ["post_not_found", "remote_waiting", "remote_failed", "remote_timeout"],
    handle: async ({ params }) => ok(await showParent(params.id)),
  }),
});
