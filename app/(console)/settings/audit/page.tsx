import type { Metadata } from "next";
import { AuditBoard } from "#components/settings/audit/audit-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { scopesOf } from "#lib/auth/permissions.ts";
import { listAudit } from "#lib/audit/list-audit.ts";
import { startOfDay } from "#lib/clock.ts";
import { AuditQuery } from "#lib/audit/schema.ts";

export const metadata: Metadata = { title: words.settings.audit.title };

const PAGE = 50;

export default async function AuditPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { time_zone: zone, role } = await requireMember();
  const asked = await searchParams;
  const one = (name: string) => {
    const value = asked[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const filters = {
    action: one("action"),
    actor: one("actor"),
    from: dayOf(one("from")),
    to: dayOf(one("to")),
  };
  // Days of the member's time zone, up to the last millisecond.
  const times = {
    since: filters.from && startOfDay(filters.from, zone).toISOString(),
    until: filters.to && new Date(startOfDay(nextDay(filters.to), zone).getTime() - 1).toISOString(),
  };
  const query = { action: filters.action, actor: filters.actor, ...times };
  const whole = AuditQuery.safeParse({ ...query, cursor: one("cursor"), limit: String(PAGE) });
  // An invalid address shows the newest entries.
  const log = await listAudit({ scopes: scopesOf(role) }, whole.success ? whole.data : { limit: PAGE });
  return (
    <AuditBoard
      log={log}
      filters={whole.success ? filters : {}}
      csvQuery={whole.success ? query : {}}
      isLater={whole.success && whole.data.cursor !== undefined}
    />
  );
}

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  return new Date(text).toJSON()?.slice(0, 10) === text ? text : undefined;
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}
