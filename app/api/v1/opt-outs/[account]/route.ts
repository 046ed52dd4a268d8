import { noContent, ok, operation, routes } from "#lib/accounts/route.ts";
import { countOptOut, decideOptOut } from "#lib/collect/opt-outs.ts";
import { OptOutDecision, OptOutReach } from "#lib/collect/opt-out-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/opt-outs/{account}", {
  PUT: operation({
    id: "decideOptOut",
    summary: "Decide about a reported opt-out",
    description:
      "`account` is `@user@host`. A confirmation deletes the author's stored posts in every state, a reserved one too, " +
      "and blocks the author. There is no undo. A later report opens the opt-out again.",
    tag: "Blocking",
    scope: "review",
    dryRun: "Return the number of posts that it would delete or release, without changing anything.",
    body: OptOutDecision,
    responses: { 200: OptOutReach, 204: null },
    errors: ["opt_out_not_found"],
    handle: async ({ principal, raw, dryRun, body }) => {
      const account = raw.account ?? "";
      if (dryRun) return ok(await countOptOut(account, body));
      await decideOptOut(principal, account, body);
      return noContent();
    },
  }),
});
