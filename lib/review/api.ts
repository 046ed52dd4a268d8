import { ok, operation } from "#lib/accounts/route.ts";
import { PostDecision, ReviewAnswer } from "./change-schema.ts";
import { reviewPost } from "./review-post.ts";

/** Declarations that all operations on the review of one post share. */
export const postDecision = {
  tag: "Posts",
  scope: "review" as const,
  ids: ["id"] as const,
  responses: { 200: ReviewAnswer },
  errors: ["post_not_found", "wrong_state", "post_edited", "post_erased"] as const,
};

/** Declares approve (`true`) or reject of one post. */
export function decisionOperation(approved: boolean) {
  return operation({
    ...postDecision,
    id: approved ? "approvePost" : "rejectPost",
    summary: approved ? "Approve a post" : "Reject a post",
    body: PostDecision,
    bodyOptional: true,
    handle: async ({ principal, params, body }) =>
      ok(await reviewPost(principal, params.id, { approved, ...body })),
  });
}
