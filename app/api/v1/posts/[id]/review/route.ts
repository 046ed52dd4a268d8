import { ok, operation, routes } from "#lib/accounts/route.ts";
import { postDecision } from "#lib/review/api.ts";
import { PostReview } from "#lib/review/change-schema.ts";
import { reviewPost } from "#lib/review/review-post.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/review", {
  POST: operation({
    id: "reviewPost",
    ...postDecision,
    summary: "Review a post, with a decision",
    body: PostReview,
    handle: async ({ principal, params, body }) => ok(await reviewPost(principal, params.id, body)),
  }),
});
