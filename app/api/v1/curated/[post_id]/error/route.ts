import { noContent, operation, routes } from "#lib/accounts/route.ts";
import { callerOf } from "#lib/queue/api.ts";
import { ErrorReport } from "#lib/queue/schema.ts";
import { reportError } from "#lib/queue/settle-reservation.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/error", {
  POST: operation({
    id: "reportPostError",
    summary: "Report that a post cannot be used",
    description:
      "reserved → error. A fixed reason lets errors group in the statistics. Not queued again automatically.",
    tag: "Queue",
    scope: "consume",
    ids: ["post_id"],
    body: ErrorReport,
    responses: { 204: null },
    errors: ["queue_post_not_found", "wrong_state", "stale_reservation"],
    handle: async ({ principal, params, raw, body, request }) => {
      const ifMatch = request.headers.get("if-match");
      await reportError(callerOf(principal, request), params.post_id, raw.post_id ?? "", ifMatch, body);
      return noContent();
    },
  }),
});
