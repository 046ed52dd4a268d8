import type { Metadata } from "next";
import { z } from "zod";
import { LogBoard } from "#components/settings/log/log-board.tsx";
import { memberNames } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { startOfDay } from "#lib/base/clock.ts";
import { MAX_ID, queryInteger, text } from "#lib/base/http/fields.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { readTeamLog, teamLogCursor } from "#lib/review/team-log.ts";

export const metadata: Metadata = { title: "Log" };

const PAGE = 50;
const DAY_MS = 86_400_000;

// Both days are included. None after 2999, because the day after 9999-12-31 has no ISO date.
const day = z.iso.date().startsWith("2").optional();
const Address = z.object({
  what: text(100).optional(),
  who: queryInteger(1, MAX_ID).optional(),
  from: day,
  to: day,
  batch: z.uuid().optional(),
  cursor: z.string().regex(teamLogCursor).optional(),
});

export default async function LogPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { role, time_zone: zone } = await requireMember();
  const given = Object.entries(await searchParams).filter(([, value]) => value !== "");
  // An invalid address shows the newest lines.
  const { cursor, ...filters } = Address.safeParse(Object.fromEntries(given)).data ?? {};
  const { what, who, from, to, batch } = filters;
  const next = to && new Date(Date.parse(to) + DAY_MS).toISOString().slice(0, 10);
  const [log, members] = await Promise.all([
    readTeamLog(
      { scopes: scopesOf(role) },
      {
        what,
        member_id: who,
        batch,
        since: from ? startOfDay(from, zone) : undefined,
        until: next ? new Date(startOfDay(next, zone).getTime() - 1) : undefined,
        limit: PAGE,
        cursor,
      },
    ),
    memberNames(),
  ]);
  return <LogBoard log={log} members={members} filters={filters} isLater={cursor !== undefined} />;
}
