import { toIso } from "#lib/clock.ts";
import { db, type Prisma } from "#lib/db.ts";
import { csvLine } from "#lib/http/csv.ts";
import type { AuditFilter, AuditLine, AuditQuery } from "./schema.ts";

/** Newest first. */
export async function listAudit(
  filter: AuditQuery,
): Promise<{ items: AuditLine[]; next_cursor: string | null }> {
  const rows = await db.audit_event.findMany({
    where: whereOf(filter),
    orderBy: { id: "desc" },
    take: filter.limit + 1,
  });
  const items = rows.slice(0, filter.limit).map((row) => ({
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
  return { items, next_cursor: rows.length > filter.limit ? (items.at(-1)?.id ?? null) : null };
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

const PAGE = 1000;

/** CSV, newest first, from `cursor` to the end. */
export async function* exportAudit(filter: AuditFilter): AsyncGenerator<string, void> {
  yield csvLine(["at", "actor", "source", "action", "subject", "before", "after"]);
  let cursor = filter.cursor;
  do {
    const page = await listAudit({ ...filter, limit: PAGE, cursor });
    yield page.items.map(csvOf).join("");
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function csvOf(entry: AuditLine): string {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const { at, actor, source, action, subject } = entry;
  return csvLine([at, actor, source, action, subject, json(entry.before), json(entry.after)]);
}
