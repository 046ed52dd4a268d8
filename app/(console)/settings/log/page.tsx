import type { Metadata } from "next";
import { z } from "zod";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { memberNames } from "#lib/accounts/accounts.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { endOfDay } from "#lib/base/clock.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { LogQuery } from "#lib/review/log-schema.ts";
import { listLog } from "#lib/review/log.ts";
import { factsOf, readable, titleOf } from "./log-words.tsx";

export const metadata: Metadata = { title: "Log" };

const LOG = "/settings/log";
const things =
  "stream settings blocked_user blocked_hashtag opt_out topical_tag queue post posts retention check classify_rule classify_word reject_reason host key member";
const actions = ["decisions", "changes", ...things.split(" ")];

const Address = LogQuery.pick({ action: true, member_id: true, batch: true, cursor: true }).extend({
  // In the member's zone. None after 2999, because the day after 9999-12-31 has no ISO date.
  until: z.iso.date().startsWith("2").optional(),
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
  const until = filters.until === undefined ? undefined : endOfDay(filters.until, zone);
  const [log, members] = await Promise.all([
    listLog({ scopes: scopesOf(role) }, { ...filters, until, cursor, limit: 50 }),
    memberNames(),
  ]);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <ListPanel
      title="Log"
      description="Decisions and changes, newest first. A batch leads to its posts."
      rows={log.items.map((line) => ({
        key: line.kind + line.id,
        title: titleOf(line),
        facts: factsOf(line),
      }))}
      empty={isFiltered ? "Nothing matches" : "Nothing has been done yet"}
      footer={
        log.next_cursor === null ? undefined : (
          <ButtonLink href={withQuery(LOG, { ...filters, cursor: log.next_cursor })} size="sm">
            Older
          </ButtonLink>
        )
      }
    >
      {/* Another key resets the fields. */}
      <form key={String(isFiltered)} action={LOG} className="flex flex-wrap items-center gap-3">
        <Select
          size="sm"
          name="action"
          aria-label="What"
          defaultValue={filters.action}
          placeholder="Everything"
          options={actions.map((value) => ({ value, label: readable(value) }))}
        />
        <Select
          size="sm"
          name="member_id"
          aria-label="Who"
          defaultValue={filters.member_id}
          placeholder="Anyone"
          options={members.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <label className="flex items-center gap-2 text-13">
          Until
          <Input size="sm" type="date" name="until" defaultValue={filters.until} />
        </label>
        <Button type="submit" size="sm">
          Show
        </Button>
        {isFiltered || cursor !== undefined ? (
          <ButtonLink href={LOG} size="sm" variant="ghost">
            {isFiltered ? "Clear filters" : "Newest"}
          </ButtonLink>
        ) : null}
      </form>
    </ListPanel>
  );
}
