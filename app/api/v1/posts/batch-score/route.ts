import { ok, operation, routes } from "#lib/accounts/route.ts";
import { batchScore } from "#lib/checks/score/classify-posts.ts";
import { BatchScore, BatchScoreRequest } from "#lib/checks/score/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/batch-score", {
  POST: operation({
    id: "checkPostsAgain",
    summary: "Check posts again",
    description: "Runs the checks on these posts again. Decisions do not change.",
    tag: "Posts",
    scope: "review",
    body: BatchScoreRequest,
    responses: { 200: BatchScore },
    handle: async ({ body }) => ok(await batchScore(body.post_ids)),
  }),
});
