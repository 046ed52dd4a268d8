import { z } from "zod";
import { exportAudit } from "#lib/audit/list-audit.ts";
import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";
import { AuditFilter } from "#lib/audit/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/audit.csv", {
  GET: operation({
    id: "exportAudit",
    summary: "Export the audit log",
    description:
      "All lines that match, newest first. Cells that a spreadsheet would run as a formula are escaped.",
    tag: "Logs",
    scope: "read",
    boundKeys: "none",
    query: AuditFilter,
    responses: { 200: z.string() },
    contentType: "text/csv",
    handle: ({ principal, query }) => Promise.resolve(csvReply("audit.csv", exportAudit(principal, query))),
  }),
});
