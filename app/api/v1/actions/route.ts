import { listActions } from "#lib/actions/list-actions.ts";
import { ActionList, ActionQuery } from "#lib/actions/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";
import { actionKinds } from "./kinds.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/actions", {
  GET: operation({
    id: "listActions",
    summary: "List your actions",
    description:
      "Decisions, batches and other changes of the last seven days that you made, newest first. `limits` says why an " +
      "undo would leave something as it is.",
    tag: "Your actions",
    scope: "read",
    query: ActionQuery,
    responses: { 200: ActionList },
    handle: async ({ principal, query }) => ok(await listActions(principal, query, actionKinds)),
  }),
});
