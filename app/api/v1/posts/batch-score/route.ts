import { batchScore } from "#lib/classify/classify-posts.ts";
import { BatchScore, BatchScoreRequest } from "#lib/classify/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/batch-score", {
  POST: operation({
    summary: "Classify posts again",
    description: "Runs the automatic checks on these posts anew. Decides nothing about them.",
    tag: "Posts",
    scope: "review",
    boundKeys: "own",
    body: BatchScoreRequest,
    responses: { 200: BatchScore },
    handle: async ({ principal, body }) => ok(await batchScore(principal, body.post_ids)),
  }),
});
