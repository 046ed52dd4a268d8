import { toIso } from "#lib/base/clock.ts";
import { db, type Prisma } from "#lib/base/db.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import type { AuditFilter, AuditLine, AuditQuery } from "./audit-schema.ts";

/** E-mail addresses of members are shown to those who may list the members. */
type Reader = Pick<Principal, "scopes">;

/** Newest first. */
export async function listAudit(
  reader: Reader,
  filter: AuditQuery,
): Promise<{ items: AuditLine[]; next_cursor: string | null }> {
  const seesMembers = reader.scopes.includes("manage");
  const rows = await db.audit_event.findMany({
    where: whereOf(filter),
    orderBy: { id: "desc" },
    take: filter.limit + 1,
  });
  const lines = rows.slice(0, filter.limit).map((row) => ({
    id: String(row.id),
    at: toIso(row.at),
    actor: row.actor,
    member_id: row.member_id,
    source: row.source as AuditLine["source"],
    action: row.action,
    subject: row.subject,
    before: row.before,
    after: row.after,
  }));
  const items = seesMembers ? lines : lines.map(withoutEmails);
  return { items, next_cursor: rows.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
}

/** Only lines about members name them by address; subjects of others have handles such as @user@host. */
function withoutEmails(line: AuditLine): AuditLine {
  if (!line.action.startsWith("member.")) return line;
  const { subject, before, after } = line;
  return { ...line, subject: hideEmails(subject), before: hideIn(before), after: hideIn(after) };
}

function hideEmails(text: string): string {
  return text.replace(/ <[^\s<>]+@[^\s<>]+>/g, "").replace(/[^\s<>]+@[^\s<>]+/g, "(e-mail hidden)");
}

function hideIn(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === "string" ? hideEmails(each) : each,
  ) as unknown;
}

function whereOf(filter: AuditFilter): Prisma.audit_eventWhereInput {
  const { cursor, action, actor, member_id, since, until } = filter;
  return {
    ...(cursor === undefined ? {} : { id: { lt: BigInt(cursor) } }),
    ...(action === undefined ? {} : { OR: [{ action }, { action: { startsWith: `${action}.` } }] }),
    ...(actor === undefined ? {} : { actor }),
    ...(member_id === undefined ? {} : { member_id }),
    at: { ...(since ? { gte: since } : {}), ...(until ? { lte: until } : {}) },
  };
}
