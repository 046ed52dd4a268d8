import { rejectBlocked } from "#lib/blocking/blocks.ts";
import { RejectBlocked, RejectBlockedResult } from "#lib/filters/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

/** Seconds, for ten thousand posts. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/reject-blocked", {
  POST: operation({
    id: "rejectBlocked",
    summary: "Reject unreviewed posts that a block list matches",
    description:
      "Applies both current block lists to all unreviewed posts, or with a preview to exactly those that it counted.",
    tag: "Blocking",
    scope: "manage",
    body: RejectBlocked,
    bodyOptional: true,
    responses: { 200: RejectBlockedResult },
    errors: ["preview_not_valid", "action_done"],
    handle: async ({ principal, body }) => ok({ rejected: await rejectBlocked(principal, body.preview) }),
  }),
});
