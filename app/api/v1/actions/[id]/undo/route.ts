import { actionKinds } from "#app/api/v1/actions/kinds.ts";
import { UndoResult } from "#lib/actions/schema.ts";
import { undoAction } from "#lib/actions/undo-action.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/actions/{id}/undo", {
  POST: operation({
    id: "undoAction",
    summary: "Undo an action",
    description:
      "Restores as much as is still unchanged; `limits` says why the rest stays. A repeated call gives the " +
      "first answer again. Needs the scope of the action itself.",
    tag: "Your actions",
    scope: "read",
    responses: { 200: UndoResult },
    errors: ["action_not_found", "action_undone"],
    handle: async ({ principal, raw }) => ok(await undoAction(principal, raw.id ?? "", actionKinds)),
  }),
});
