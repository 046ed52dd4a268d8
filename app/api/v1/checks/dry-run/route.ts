import { DryRun, DryRunRequest } from "#lib/checks/settings/schema.ts";
import { dryRun } from "#lib/checks/verdict/dry-run.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/checks/dry-run", {
  POST: operation({
    id: "tryCheckSettings",
    summary: "Count the posts that a changed setting would flag",
    description:
      "Judges the posts of the last 30 days from their stored results, with the present settings and with the change. Nothing is stored.",
    tag: "Checks",
    scope: "manage",
    body: DryRunRequest,
    responses: { 200: DryRun },
    handle: async ({ body }) => ok(await dryRun(body)),
  }),
});
