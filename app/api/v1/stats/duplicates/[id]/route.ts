import { ok, operation, routes } from "#lib/accounts/route.ts";
import { compareDuplicate } from "#lib/media/compare-duplicate.ts";
import { DuplicateComparison } from "#lib/media/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/stats/duplicates/{id}", {
  GET: operation({
    id: "compareDuplicate",
    summary: "Compare both pictures of a reported duplicate",
    description: "Hashes reported by the consumer, and hashes computed from the pictures as they are now.",
    tag: "Statistics",
    scope: "read",
    ids: ["id"],
    responses: { 200: DuplicateComparison },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await compareDuplicate(params.id)),
  }),
});
