import { ok, operation, routes } from "#lib/http/route.ts";
import { countToReview } from "#lib/review/deck.ts";
import { RemainingQuery, ToReview } from "#lib/review/deck-schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/review/remaining", {
  GET: operation({
    id: "countRemaining",
    summary: "Count posts to review",
    description: "The counts of `GET /review/deck`, and the posts on the caller's desk. Leases nothing.",
    tag: "Review",
    scope: "review",
    query: RemainingQuery,
    responses: { 200: ToReview },
    handle: async ({ principal, query }) => ok(await countToReview(principal, query)),
  }),
});
