import { ok, operation, routes } from "#lib/accounts/route.ts";
import { RejectReason, RejectReasonUpdate } from "#lib/review/reject-reason-schema.ts";
import { changeRejectReason } from "#lib/review/reject-reasons.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reject-reasons/{id}", {
  PATCH: operation({
    id: "changeRejectReason",
    summary: "Rename, move, archive or restore a reason",
    description: "Reasons are archived, not deleted: posts and figures keep them.",
    tag: "Review",
    scope: "manage",
    ids: ["id"],
    body: RejectReasonUpdate,
    responses: { 200: RejectReason },
    errors: ["reject_reason_not_found", "reject_reason_exists", "reject_reasons_full"],
    handle: async ({ principal, params, body }) => ok(await changeRejectReason(principal, params.id, body)),
  }),
});
