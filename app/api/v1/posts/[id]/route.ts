import { noContent, ok, operation, routes } from "#lib/accounts/route.ts";
import { postDecision } from "#lib/review/api.ts";
import { PostChange } from "#lib/review/change-schema.ts";
import { deletePost } from "#lib/review/delete-post.ts";
import { reviewPost } from "#lib/review/review-post.ts";
import { showPost } from "#lib/review/read-posts.ts";
import { ShownPost } from "#lib/review/shown-post-schema.ts";

const change = operation({
  ...postDecision,
  id: "updateReview",
  summary: "Review a post",
  description:
    "Any of decision, note and spam score. A repeated decision changes nothing; a post that a bot holds " +
    "or has had can no longer be rejected or taken back.",
  body: PostChange,
  handle: async ({ principal, params, body }) => ok(await reviewPost(principal, params.id, body)),
});

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}", {
  GET: operation({
    id: "getPost",
    summary: "Get one post",
    description:
      "The post with its history, oldest line first, the results of its checks, and earlier posts that had the same picture, among the 50 000 newest pictures.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    responses: { 200: ShownPost },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await showPost(params.id)),
  }),
  PATCH: change,
  PUT: { ...change, id: "replaceReview" },
  DELETE: operation({
    id: "deletePost",
    summary: "Delete a post",
    description: "In any state, without undo. The post is not collected again; its history is kept.",
    tag: "Posts",
    scope: "manage",
    ids: ["id"],
    responses: { 204: null },
    errors: ["post_not_found"],
    handle: async ({ principal, params }) => {
      await deletePost(principal, params.id);
      return noContent();
    },
  }),
});
