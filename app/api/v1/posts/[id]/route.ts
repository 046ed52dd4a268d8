import { noContent, ok, operation, routes } from "#lib/http/route.ts";
import { deletePost } from "#lib/posts/delete-post.ts";
import { getPost } from "#lib/posts/get-post.ts";
import { PostDetail } from "#lib/posts/schema.ts";
import { changeOperation, unknownPost } from "#lib/review/post-api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}", {
  GET: operation({
    summary: "Get one post",
    description: "The post with its history, oldest line first.",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    notFound: unknownPost,
    responses: { 200: PostDetail },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await getPost(params.id)),
  }),
  PATCH: changeOperation,
  PUT: changeOperation,
  DELETE: operation({
    summary: "Delete a post",
    description: "In any state. It is not collected again; its history stays.",
    tag: "Posts",
    scope: "manage",
    boundKeys: "own",
    ids: ["id"],
    notFound: unknownPost,
    responses: { 204: null },
    errors: ["post_not_found"],
    handle: async ({ principal, params }) => {
      await deletePost(principal, params.id);
      return noContent();
    },
  }),
});
