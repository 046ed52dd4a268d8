import { ok, operation, routes } from "#lib/http/route.ts";
import { unknownPost } from "#lib/review/api.ts";
import { Parent } from "#lib/streams/schema.ts";
import { showParent } from "#lib/streams/show-parent.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/parent", {
  GET: operation({
    summary: "Show what a post answers",
    description:
      "Asks the post's home server now, one request under its limits; what it says is stored nowhere. Posts that are no reply, or whose parent is gone or not public, are told apart by `outcome`.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    notFound: unknownPost,
    responses: { 200: Parent },
    errors: ["post_not_found", "remote_waiting", "remote_failed", "remote_timeout"],
    handle: async ({ params }) => ok(await showParent(params.id)),
  }),
});
