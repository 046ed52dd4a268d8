import type { Metadata } from "next";
import { z } from "zod";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable } from "#components/ui/data-table.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { lifeActions } from "#components/words.ts";
import { memberNames } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { endOfDay, startOfDay } from "#lib/base/clock.ts";
import { MAX_ID, queryInteger, text } from "#lib/base/http/fields.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { reviewActions } from "#lib/review/log-schema.ts";
import { readTeamLog, teamLogCursor } from "#lib/review/team-log.ts";
import { changeGroups } from "./change-words.ts";
import { LOG, logColumns } from "./log-table.tsx";

export const metadata: Metadata = { title: "Log" };

const PAGE = 50;

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

const options = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
const decisions = Object.fromEntries(reviewActions.map((name) => [name, lifeActions[name] ?? name]));
const groups = [
  { label: "Decisions", options: [{ value: "decisions", label: "All decisions" }, ...options(decisions)] },
  { label: "Changes", options: [{ value: "changes", label: "All changes" }, ...options(changeGroups)] },
];

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
  const [log, members] = await Promise.all([
    readTeamLog(
      { scopes: scopesOf(role) },
      {
        what,
        member_id: who,
        batch,
        since: from === undefined ? undefined : startOfDay(from, zone),
        until: to === undefined ? undefined : endOfDay(to, zone),
        limit: PAGE,
        cursor,
      },
    ),
    memberNames(),
  ]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const clear = isFiltered ? (
    <ButtonLink href={LOG} size="sm" variant="ghost">
      Clear filters
    </ButtonLink>
  ) : null;
  return (
    <Panel
      title="Log"
      description="Decisions and changes, newest first. A batch leads to its posts."
      flush
      footer={
        cursor === undefined && log.next_cursor === null ? null : (
          <nav aria-label="Pages of the log" className="flex justify-end gap-2">
            {cursor === undefined ? null : (
              <ButtonLink href={withQuery(LOG, filters)} size="sm">
                Newest
              </ButtonLink>
            )}
            {log.next_cursor === null ? null : (
              <ButtonLink href={withQuery(LOG, { ...filters, cursor: log.next_cursor })} size="sm">
                Older
              </ButtonLink>
            )}
          </nav>
        )
      }
    >
      <form
        // Clearing resets the fields.
        key={String(isFiltered)}
        action={LOG}
        className="grid grid-cols-2 items-end gap-3 border-b border-line px-4 py-3 desk:flex desk:flex-wrap"
      >
        <Field label="What" className="desk:w-44">
          <Select
            size="sm"
            name="what"
            defaultValue={what}
            placeholder="Everything"
            options={[]}
            groups={groups}
          />
        </Field>
        <Field label="Who" className="desk:w-44">
          <Select
            size="sm"
            name="who"
            defaultValue={who}
            placeholder="Anyone"
            options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
        <Field label="From" className="desk:w-36">
          <Input size="sm" type="date" name="from" defaultValue={from} />
        </Field>
        <Field label="To" className="desk:w-36">
          <Input size="sm" type="date" name="to" defaultValue={to} />
        </Field>
        <Button type="submit" size="sm">
          Show
        </Button>
        {clear}
      </form>
      <DataTable
        caption="Log"
        columns={logColumns}
        rows={log.items}
        rowKey={(line) => line.kind + line.id}
        empty={
          <EmptyState title={isFiltered ? "Nothing matches" : "Nothing has been done yet"} action={clear} />
        }
      />
    </Panel>
  );
}
