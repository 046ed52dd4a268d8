import type { Metadata } from "next";
import type { ReactNode } from "react";
import { formatMoment, plural } from "#components/format.ts";
import { isolateTags } from "#components/post/emoji-text.tsx";
import { noteOf, whoOf } from "#components/post/post-life.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { lifeActions, switchLabels } from "#components/words.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { LogQuery, type LogLine } from "#lib/review/log-schema.ts";
import { listLog } from "#lib/review/log.ts";

export const metadata: Metadata = { title: "Log" };

const LOG = "/settings/log";
const Address = LogQuery.pick({ action: true, batch: true, cursor: true });

export default async function LogPage({ searchParams }: { searchParams: Promise<object> }) {
  const { role, time_zone } = await requireMember();
  // An invalid address shows the newest lines.
  const query = Address.safeParse(await searchParams).data ?? {};
  const log = await listLog({ scopes: scopesOf(role) }, { ...query, limit: 50 });
  const tab = (label: string, action?: string) => ({
    label,
    href: withQuery(LOG, { action }),
    current: action === query.action,
  });
  return (
    <ListPanel
      title="Log"
      description="Decisions and changes, newest first. A batch leads to its posts."
      rows={log.items.map((line) => ({
        key: line.kind + line.id,
        title: [`${verbOf(line)}: `, subjectOf(line)],
        facts: [
          whoOf(line),
          <RelativeTime key="at" at={line.at} />,
          noteOf(line),
          ...changesOf(line, time_zone),
        ],
      }))}
      empty="Nothing has been done yet"
      footer={
        log.next_cursor && (
          <ButtonLink href={withQuery(LOG, { ...query, cursor: log.next_cursor })} size="sm">
            Older
          </ButtonLink>
        )
      }
    >
      <LinkTabs
        label="Lines"
        tabs={[tab("Everything"), tab("Decisions", "decisions"), tab("Changes", "changes")]}
      />
    </ListPanel>
  );
}

/** "Rejected", "Stream changed". */
function verbOf({ action, batch }: LogLine): string {
  const decided = action === "batch" ? batch?.decision : action;
  return lifeActions[decided ?? action] ?? readable(action);
}

function subjectOf({ subject, batch, post, post_id }: LogLine): ReactNode {
  const [href, name, more] = batch
    ? [withQuery(LOG, { batch: batch.id }), plural(batch.changed, "post", "posts"), batch.author_account]
    : [`/posts/${post_id}`, post?.author_account, post?.snippet];
  if (name === undefined) return subject ?? `post ${post_id}, deleted`;
  return (
    <Link href={href} tone="plain" prefetch={false}>
      <bdi>{name}</bdi> <bdi className="font-normal text-muted">{more && isolateTags(more)}</bdi>
    </Link>
  );
}

/** "Fetch interval minutes: 15 → 30", for each field that differs; of an added or removed object what its name does not say. */
function changesOf({ before, after, subject }: LogLine, timeZone: string): string[] {
  const sides = [before, after].filter((side) => side !== null) as Record<string, unknown>[];
  const names = new Set(sides.flatMap((side) => Object.keys(side)));
  const isNamed = (value: unknown) =>
    sides.length === 1 && typeof value === "string" && subject?.includes(value);
  return [...names].flatMap((name) => {
    const values = sides.map((side) => plain(side[name], timeZone));
    return name === "id" || isNamed(sides[0]?.[name]) || values[0] === (values[1] ?? "none")
      ? []
      : [`${labels[name] ?? readable(name)}: ${values.join(" → ")}`];
  });
}

function plain(value: unknown, timeZone: string): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && value.length > 0) return value.map((item) => plain(item, timeZone)).join(", ");
  const text = JSON.stringify(value ?? "none").replaceAll(/[[\]{}"]/g, "");
  return text.replace(/^\d{4}-\d\d-\d\dT.*Z$/, (at) => formatMoment(Date.parse(at), timeZone)) || "none";
}

const labels: Readonly<Record<string, string>> = switchLabels;

const past: Record<string, string> = {
  create: "added",
  update: "changed",
  delete: "removed",
  user: "account",
};

/** `stream.create` → "Stream added". */
function readable(name: string): string {
  const words = name.split(/[._]/).map((word) => past[word] ?? word);
  return name.charAt(0).toUpperCase() + words.join(" ").slice(1);
}
