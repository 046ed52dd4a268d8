import { CheckedAgain, Score } from "#lib/checks/score/schema.ts";
import { checkAgain, getScore } from "#lib/checks/score/show-score.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

const common = {
  tag: "Posts",
  ids: ["id"] as const,
  errors: ["post_not_found"] as const,
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/score", {
  GET: operation({
    id: "getScore",
    ...common,
    summary: "Get the results of the checks of a post",
    description:
      "Each check with its score, its agreement with the last 200 decisions, and the raw scores of each picture.",
    scope: "read",
    responses: { 200: Score },
    handle: async ({ params }) => ok(await getScore(params.id)),
  }),
  POST: operation({
    id: "checkPostAgain",
    ...common,
    summary: "Check a post again",
    description: "Runs the checks on the post again. Its decision does not change.",
    scope: "review",
    responses: { 200: CheckedAgain },
    handle: async ({ params }) => ok(await checkAgain(params.id)),
  }),
});
