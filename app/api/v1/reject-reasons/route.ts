import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";

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
});
