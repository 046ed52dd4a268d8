import { ok, operation, routes } from "#lib/http/route.ts";
import { ErrorBatchUndone } from "#lib/queue/schema.ts";
import { undoErrors } from "#lib/review/failed-posts.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/errors/{id}/undo", {
  POST: operation({
    id: "undoFailedPosts",
    summary: "Undo the requeue or rejection of a group",
    description:
      "Possible once, within a day. The posts return to `error` with reason, details and position. Posts that were handed out or decided again since then do not change.",
    tag: "Queue",
    scope: "manage",
    responses: { 200: ErrorBatchUndone },
    errors: ["batch_not_found", "batch_undone"],
    handle: async ({ principal, raw }) => ok(await undoErrors(principal, raw.id ?? "")),
  }),
});
