import { z } from "zod";
import { isoTime, logFilters, logPaging, text } from "#lib/http/fields.ts";

export const AuditFilter = z.object({
  ...logFilters,
  action: text(100)
    .optional()
    .meta({ description: "One action, such as `stream.create`, or a prefix such as `stream`." }),
  cursor: logPaging.cursor,
});
export type AuditFilter = z.output<typeof AuditFilter>;
export const AuditQuery = AuditFilter.extend(logPaging);
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditLine = z.object({
  id: z.string(),
  at: isoTime,
  actor: z.string(),
  member_id: z.int().nullable(),
  source: z.enum(["screen", "api", "service"]),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
});
export type AuditLine = z.infer<typeof AuditLine>;
export const AuditLog = z
  .object({ items: z.array(AuditLine), next_cursor: z.string().nullable() })
  .meta({ id: "AuditLog" });
export type AuditLog = z.infer<typeof AuditLog>;
