import { ok, operation, routes } from "#lib/http/route.ts";
import { checkSourcesAfterResponse } from "#lib/jobs/after-response.ts";
import { PostReview } from "#lib/posts/change-schema.ts";
import { postDecision } from "#lib/review/api.ts";
import { reviewPost } from "#lib/review/review-post.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/review", {
  POST: operation({
    id: "reviewPost",
    ...postDecision,
    summary: "Review a post, with a decision",
    body: PostReview,
    handle: async ({ principal, params, body }) => {
      const result = await reviewPost(principal, params.id, body);
      await checkSourcesAfterResponse();
      return ok(result);
    },
  }),
});
