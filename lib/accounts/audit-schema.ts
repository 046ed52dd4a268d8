import { z } from "zod";
import { common } from "#lib/base/http/common-fields.ts";
import { logFilters, logPaging, stringField, text } from "#lib/base/http/fields.ts";

export const AuditFilter = z.object({
  ...logFilters,
  action: text(100).optional().describe("One action, such as `stream.create`, or a prefix such as `stream`."),
  cursor: logPaging.cursor,
});
export type AuditFilter = z.output<typeof AuditFilter>;
export const AuditQuery = AuditFilter.extend(logPaging);
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditLine = z.object({
  id: common.text_id,
  at: common.at,
  actor: common.actor,
  member_id: common.member_id,
  source: z.enum(["screen", "api", "service"]).describe("Part of the service through which it was done."),
  action: common.action,
  subject: stringField("The changed object.", "#birds on mastodon.example"),
  before: z.unknown().describe("Values before the change."),
  after: z.unknown().describe("Values after the change."),
});
export type AuditLine = z.infer<typeof AuditLine>;
export const AuditLog = z
  .object({ items: z.array(AuditLine).describe("Entries of this page."), next_cursor: common.next_cursor })
  .meta({ id: "AuditLog" });
export type AuditLog = z.infer<typeof AuditLog>;
