import { AuditLog, AuditQuery } from "#lib/accounts/audit-schema.ts";
import { listAudit } from "#lib/accounts/list-audit.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/audit", {
  GET: operation({
    id: "listAudit",
    summary: "Read the audit log",
    description:
      "Changes to streams, filters, settings, members and keys, newest first. E-mail addresses are shown to admins and keys with `manage`.",
    tag: "Logs",
    scope: "read",
    query: AuditQuery,
    responses: { 200: AuditLog },
    handle: async ({ principal, query }) => ok(await listAudit(principal, query)),
  }),
});
