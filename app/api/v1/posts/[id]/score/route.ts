import { getScore } from "#lib/classify/classify-posts.ts";
import { Score } from "#lib/classify/schema.ts";
import { ApiError } from "#lib/errors.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/score", {
  GET: operation({
    summary: "Get the results of the checks of a post",
    tag: "Posts",
    scope: "read",
    ids: ["id"],
    notFound: () => new ApiError("post_not_found"),
    responses: { 200: Score },
    errors: ["post_not_found"],
    handle: async ({ params }) => ok(await getScore(params.id)),
  }),
});
