import { previewErrors } from "#lib/actions/schema.ts";
import { decideOptOut } from "#lib/blocking/opt-outs.ts";
import { OptOutDecision } from "#lib/consent/opt-out-schema.ts";
import { noContent, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/opt-outs/{account}", {
  PUT: operation({
    id: "decideOptOut",
    summary: "Decide about a reported opt-out",
    description:
      "`account` is `@user@host`. A confirmation deletes the author's stored posts in every state, a reserved one too, " +
      "and blocks the author. Its undo opens the report again and removes the block, without the posts. A later report " +
      "opens the opt-out again.",
    tag: "Blocking",
    scope: "review",
    body: OptOutDecision,
    responses: { 204: null },
    errors: ["opt_out_not_found", ...previewErrors],
    handle: async ({ principal, raw, body }) => {
      await decideOptOut(principal, raw.account ?? "", body);
      return noContent();
    },
  }),
});
