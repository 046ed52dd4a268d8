import type { ReactNode } from "react";
import { BarChart } from "#components/charts/bar-chart.tsx";
import { BarList } from "#components/charts/bar-list.tsx";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { DefinitionList, Panel } from "#components/ui/card.tsx";
import { DataTable } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { formatCount, formatDay, formatDuration, formatPercent } from "#components/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { peopleOnly, postsUrl } from "#lib/client/posts-url.ts";
import { arrivalsOf } from "#lib/stats/metrics-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const DAY_SECONDS = 86_400;
/** Rows of a panel. */
const MAX_ROWS = 10;
/** A bot that asked within this time is alive. */
const ALIVE_MS = 2 * DAY_SECONDS * 1000;

/** A question, the sentence that answers it, and the figures behind it. */
function AnswerPanel(props: {
  title: string;
  figure?: FigureName;
  answer: string;
  items?: readonly { term: string; value: ReactNode }[];
  children?: ReactNode;
}) {
  const { title, figure, answer, items, children } = props;
  return (
    <Panel title={title} {...(figure === undefined ? {} : { figure })}>
      <p data-answer className="mb-3 text-16 font-medium">
        {answer}
      </p>
      {items === undefined ? null : <DefinitionList items={items} />}
      {children}
    </Panel>
  );
}

export function SupplyPanel({ overview: { runway }, timeZone }: { overview: Overview; timeZone: string }) {
  const { supply, days, runs_dry_at: dry, with_approvals_days: later } = runway;
  const answer =
    days === null
      ? "Not known: no delivery in the last four weeks"
      : supply === 0
        ? "No: nothing is ready to be delivered"
        : dry === null
          ? "Yes, for years"
          : `Until ${formatDay(Date.parse(dry), timeZone)} (${formatDuration(days * DAY_SECONDS)})`;
  return (
    <AnswerPanel
      title="Will the queue last?"
      figure="runway_days"
      answer={answer}
      items={[
        { term: "Ready to be delivered", value: formatCount(supply) },
        { term: "Deliveries a day", value: formatCount(runway.deliveries_per_day) },
        {
          term: `If you keep approving ${formatCount(runway.approvals_per_day)} a day`,
          value: days === null ? "–" : later === null ? "It lasts" : formatDuration(later * DAY_SECONDS),
        },
      ]}
    />
  );
}

export function KeepUpPanel({ overview: { days, totals } }: { overview: Overview }) {
  const arrivals = arrivalsOf(totals);
  const { decided } = totals;
  const answer =
    arrivals + decided === 0
      ? "Not known: nothing arrived and nothing was decided"
      : arrivals > decided
        ? `No: ${formatCount(arrivals)} arrived, ${formatCount(decided)} were decided`
        : `Yes: ${formatCount(arrivals)} arrived, ${formatCount(decided)} were decided`;
  return (
    <AnswerPanel title="Do we keep up?" figure="arrivals" answer={answer}>
      <BarChart
        label="Do we keep up?"
        rows={days.map((day) => ({ date: day.date, arrivals: arrivalsOf(day), decided: day.decided }))}
        series={[
          { key: "arrivals", label: "Arrived", fill: "muted" },
          { key: "decided", label: "Decided", fill: "accent-fill" },
        ]}
      />
    </AnswerPanel>
  );
}

export function ChoicePanel({ overview: { totals, reject_reasons, range } }: { overview: Overview }) {
  const { decided, approved, approval_rate: rate, auto_rejected } = totals;
  return (
    <AnswerPanel
      title="What do we choose, and why?"
      figure="approval_rate"
      answer={
        decided === 0
          ? "Not known: nothing was decided"
          : `${formatPercent(rate)} approved: ${formatCount(approved)} of ${formatCount(decided)} posts`
      }
    >
      {reject_reasons.length === 0 ? null : (
        <BarList
          label="What do we choose, and why?"
          tone="reject"
          items={reject_reasons.slice(0, MAX_ROWS).map(({ id, label, count }) => ({
            key: String(id),
            name: label ?? "No reason",
            value: count,
            href: postsUrl("rejected", range, { ...peopleOnly, reject_reason: id ?? 0 }),
          }))}
        />
      )}
      {auto_rejected === 0 ? null : (
        <p className="mt-2 text-13 text-muted">
          <FigureLink href={postsUrl("auto_rejected", range)}>{formatCount(auto_rejected)}</FigureLink>{" "}
          {"more were rejected by a filter, a block or a switch."}
        </p>
      )}
    </AnswerPanel>
  );
}

/** Admins see every key, others only their own. */
export function BotsPanel({
  overview: { bots, totals },
  now,
  isAdmin,
}: {
  overview: Overview;
  now: number;
  isAdmin: boolean;
}) {
  const alive = bots.filter(({ last_asked_at: at }) => at !== null && now - Date.parse(at) < ALIVE_MS).length;
  const { delivered, errors } = totals;
  const answer =
    bots.length === 0
      ? "There is no bot yet"
      : alive === 0
        ? "No: no bot has asked for two days"
        : `Yes: ${formatCount(delivered)} delivered, ${formatCount(errors)} failed`;
  return (
    <AnswerPanel title="Is the bot alive?" figure="bot_last_seen" answer={answer}>
      {bots.length === 0 ? (
        <ButtonLink href="/settings/keys">API keys</ButtonLink>
      ) : (
        <DataTable
          caption="Is the bot alive?"
          className="-mx-4"
          rows={bots.slice(0, MAX_ROWS)}
          rowKey={(bot) => bot.api_key_id}
          columns={[
            {
              key: "bot",
              header: "Bot",
              primary: true,
              wrap: true,
              cell: ({ api_key_id: id, name }) =>
                isAdmin ? (
                  <Link href={`/settings/keys#key-${id}`} tone="plain">
                    {name}
                  </Link>
                ) : (
                  name
                ),
            },
            {
              key: "asked",
              header: "Asked",
              cell: (bot) => <RelativeTime at={bot.last_asked_at} fallback="Never" />,
            },
            {
              key: "delivered",
              header: "Delivered",
              numeric: true,
              cell: (bot) => formatCount(bot.delivered),
            },
            { key: "errors", header: "Errors", numeric: true, cell: (bot) => formatCount(bot.errors) },
          ]}
        />
      )}
    </AnswerPanel>
  );
}
