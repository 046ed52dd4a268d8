import { ok, operation, routes } from "#lib/accounts/route.ts";
import { Retention, RetentionUpdate } from "#lib/collect/retention-schema.ts";
import { getRetention, previewRetention, updateRetention } from "#lib/collect/retention.ts";

const tag = "Installation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/retention", {
  GET: operation({
    id: "getRetention",
    summary: "Get the days that posts are kept",
    description: "With the number of posts that the next cleanup deletes.",
    tag,
    scope: "read",
    responses: { 200: Retention },
    handle: async () => ok(await getRetention()),
  }),
  PUT: operation({
    id: "updateRetention",
    summary: "Change the days that posts are kept",
    description:
      "Omitted settings do not change. The daily cleanup deletes older posts and leaves tombstones. All-time figures keep them.",
    tag,
    scope: "manage",
    dryRun: "Store nothing; answer with the number of posts that would be deleted.",
    body: RetentionUpdate,
    responses: { 200: Retention },
    handle: async ({ principal, body, dryRun }) =>
      ok(dryRun ? await previewRetention(body) : await updateRetention(principal, body)),
  }),
});
