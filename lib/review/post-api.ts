import { ApiError } from "#lib/errors.ts";
import { ok, operation } from "#lib/http/route.ts";
import { PostChange, PostDecision, PostReview, ReviewAnswer } from "#lib/posts/schema.ts";
import { reviewPost } from "./review-post.ts";

export const unknownPost = () => new ApiError("post_not_found");

const common = {
  tag: "Posts",
  scope: "review" as const,
  boundKeys: "own" as const,
  ids: ["id"] as const,
  notFound: unknownPost,
  responses: { 200: ReviewAnswer },
  errors: ["post_not_found", "wrong_state"] as const,
};

/** `PATCH` and `PUT /posts/{id}`: the same partial update. */
export const changeOperation = operation({
  ...common,
  summary: "Review a post",
  description:
    "Any of decision, note and spam score. Repeating a decision changes nothing; a post that a consumer holds " +
    "or has had can no longer be rejected or taken back.",
  body: PostChange,
  handle: async ({ principal, params, body }) => ok(await reviewPost(principal, params.id, body)),
});

/** `POST /posts/{id}/review`: the same, with a decision. */
export const reviewOperation = operation({
  ...common,
  summary: "Review a post, with a decision",
  body: PostReview,
  handle: async ({ principal, params, body }) => ok(await reviewPost(principal, params.id, body)),
});

/** `POST /posts/{id}/approve` and `…/reject`. */
export function decisionOperation(approved: boolean) {
  return operation({
    ...common,
    summary: approved ? "Approve a post" : "Reject a post",
    body: PostDecision,
    bodyOptional: true,
    handle: async ({ principal, params, body }) =>
      ok(await reviewPost(principal, params.id, { approved, ...body })),
  });
}
