import { rejectBlocked } from "#lib/review/decide-posts.ts";
import { RejectBlockedResult } from "#lib/filters/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

/** Seconds, for ten thousand posts. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/reject-blocked", {
  POST: operation({
    summary: "Reject unreviewed posts that a block list matches",
    description: "Applies both current block lists to all unreviewed posts.",
    tag: "Reblog controls",
    scope: "manage",
    responses: { 200: RejectBlockedResult },
    handle: async ({ principal }) => ok({ rejected: await rejectBlocked(principal) }),
  }),
});
