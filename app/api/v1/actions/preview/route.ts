import { previewers, PreviewRequest } from "#app/api/v1/actions/kinds.ts";
import { ActionPreview } from "#lib/actions/schema.ts";
import { refuseOthers } from "#lib/actions/undo-action.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/actions/preview", {
  POST: operation({
    id: "previewAction",
    summary: "Count an action before it is done",
    description:
      "Changes nothing. The token, sent with the same body to the action's own endpoint within ten minutes, changes " +
      "exactly the counted items, once. Needs the scope of the action itself.",
    tag: "Your actions",
    scope: "read",
    body: PreviewRequest,
    responses: { 200: ActionPreview },
    errors: ["trim_window_too_long"],
    handle: async ({ principal, body }) => {
      const previewer = previewers[body.action];
      if (previewer === undefined) throw new Error(`no previewer of ${body.action}`);
      refuseOthers(principal, previewer);
      return ok(await previewer.preview(principal, body.body));
    },
  }),
});
