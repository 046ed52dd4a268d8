import { ok, operation, routes } from "#lib/accounts/route.ts";
import { BatchResult } from "#lib/review/batch-schema.ts";
import { undoBatch } from "#lib/review/undo.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/batch/{id}/undo", {
  POST: operation({
    id: "undoBatch",
    summary: "Undo a batch",
    description: "Posts that were handed out or decided again since then do not change.",
    tag: "Review",
    scope: "review",
    responses: { 200: BatchResult },
    errors: ["batch_not_found", "batch_undone"],
    handle: async ({ principal, raw }) => ok(await undoBatch(principal, raw.id ?? "")),
  }),
});
