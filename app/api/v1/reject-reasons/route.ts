import { z } from "zod";
import { created, ok, operation, routes } from "#lib/accounts/route.ts";
import { RejectReason, RejectReasonCreate } from "#lib/review/reject-reason-schema.ts";
import { addRejectReason, listRejectReasons } from "#lib/review/reject-reasons.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reject-reasons", {
  GET: operation({
    id: "listRejectReasons",
    summary: "List reasons of rejection",
    description: "Reasons in use in the order of their keys, then archived ones.",
    tag: "Review",
    scope: "read",
    responses: { 200: z.array(RejectReason) },
    handle: async () => ok(await listRejectReasons()),
  }),
  POST: operation({
    id: "addRejectReason",
    summary: "Add a reason of rejection",
    description: "It becomes the last one. At most nine are in use.",
    tag: "Review",
    scope: "manage",
    body: RejectReasonCreate,
    responses: { 201: RejectReason },
    errors: ["reject_reason_exists", "reject_reasons_full"],
    handle: async ({ principal, body }) => created(await addRejectReason(principal, body)),
  }),
});
