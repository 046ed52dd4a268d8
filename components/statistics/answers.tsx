"use client";
import type { ReactNode } from "react";
import { BarChart } from "#components/charts/bar-chart.tsx";
import { BarList } from "#components/charts/bar-list.tsx";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { DefinitionList, Panel } from "#components/ui/card.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { words } from "#components/words/en.ts";
import { formatCount, formatDay, formatDuration, formatPercent } from "#components/words/format.ts";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const w = words.statistics;
const DAY_SECONDS = 86_400;
const CHART_HEIGHT = 150;
const REASONS = 5;
/** A bot that asked within this time is alive. */
const ALIVE_MS = 2 * DAY_SECONDS * 1000;

interface Item {
  term: string;
  value: ReactNode;
}

/** A question, the sentence that answers it, and what the sentence stands on. */
function AnswerPanel(props: {
  title: string;
  figure?: FigureName;
  answer: string;
  items?: readonly Item[];
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

/** Will the queue last? */
export function SupplyPanel({ overview: { runway } }: { overview: Overview }) {
  const zone = useTimeZone();
  const { supply, days, runs_dry_at: dry, with_approvals_days: later } = runway;
  const answer =
    days === null
      ? w.lastsUnknown
      : supply === 0
        ? w.lastsEmpty
        : dry === null
          ? w.lastsYears
          : w.lastsUntil(formatDay(Date.parse(dry), zone), formatDuration(days * DAY_SECONDS));
  return (
    <AnswerPanel
      title={w.lasts}
      figure="runway_days"
      answer={answer}
      items={[
        { term: w.supply, value: formatCount(supply) },
        { term: w.deliveriesPerDay, value: formatCount(runway.deliveries_per_day) },
        {
          term: w.withApprovals(formatCount(runway.approvals_per_day)),
          value: days === null ? "–" : later === null ? w.lastsOn : formatDuration(later * DAY_SECONDS),
        },
      ]}
    />
  );
}

/** Do we keep up? */
export function KeepUpPanel({ overview: { days, totals } }: { overview: Overview }) {
  const arrivals = Math.max(0, totals.fetched - totals.auto_rejected);
  const { decided } = totals;
  const answer =
    arrivals + decided === 0
      ? w.keepUpUnknown
      : (arrivals > decided ? w.keepUpNo : w.keepUpYes)(formatCount(arrivals), formatCount(decided));
  return (
    <AnswerPanel title={w.keepUp} figure="arrivals" answer={answer}>
      <BarChart
        label={w.keepUp}
        rows={days.map(({ date, fetched, auto_rejected, decided: n }) => ({
          date,
          arrivals: Math.max(0, fetched - auto_rejected),
          decided: n,
        }))}
        x="date"
        height={CHART_HEIGHT}
        series={[
          { key: "arrivals", label: w.arrivals, tone: "neutral" },
          { key: "decided", label: w.decided, tone: "accent" },
        ]}
      />
    </AnswerPanel>
  );
}

/** What do we choose, and why? */
export function ChoicePanel({ overview: { totals, reject_reasons, range } }: { overview: Overview }) {
  const { decided, approved, approval_rate: rate, auto_rejected } = totals;
  return (
    <AnswerPanel
      title={w.choices}
      figure="approval_rate"
      answer={
        decided === 0
          ? w.choicesUnknown
          : w.choicesRate(formatPercent(rate), formatCount(approved), formatCount(decided))
      }
    >
      {reject_reasons.length === 0 ? null : (
        <BarList
          label={w.choices}
          nameLabel={words.reasons.label}
          valueLabel={w.posts}
          tone="reject"
          items={reject_reasons.slice(0, REASONS).map(({ id, label, count }) => ({
            key: String(id),
            name: label ?? words.reasons.none,
            value: count,
            listHref: figureList("rejected", range, { ...byPeople, reject_reason: id ?? 0 }),
          }))}
        />
      )}
      {auto_rejected === 0 ? null : (
        <p className="mt-2 text-13 text-muted">
          <FigureLink href={figureList("auto_rejected", range)}>{formatCount(auto_rejected)}</FigureLink>{" "}
          {w.byFilters}
        </p>
      )}
    </AnswerPanel>
  );
}

/** Is the bot alive? */
export function BotsPanel({ overview: { bots, totals } }: { overview: Overview }) {
  const alive = bots.filter(
    ({ last_asked_at: at }) => at !== null && Date.now() - Date.parse(at) < ALIVE_MS,
  ).length;
  const { delivered, errors } = totals;
  const answer =
    bots.length === 0
      ? w.botsNone
      : alive === 0
        ? w.botsSilent
        : w.botsAlive(formatCount(delivered), formatCount(errors));
  return (
    <AnswerPanel title={w.bots} figure="bot_last_seen" answer={answer}>
      {bots.length === 0 ? (
        <ButtonLink href="/settings/keys">{w.botsStep}</ButtonLink>
      ) : (
        <table className="w-full text-13 leading-[1.35]">
          <caption className="hidden-visually">{w.bots}</caption>
          <thead>
            <tr className="text-12 text-muted">
              <th scope="col" className="h-7 text-start font-medium">
                {w.bot}
              </th>
              <th scope="col" className="text-start font-medium">
                {w.asked}
              </th>
              <th scope="col" className="text-end font-medium">
                {w.delivered}
              </th>
              <th scope="col" className="text-end font-medium">
                {w.errors}
              </th>
            </tr>
          </thead>
          <tbody>
            {bots.slice(0, REASONS).map((bot) => (
              <tr key={bot.api_key_id}>
                <th scope="row" className="h-8 pe-3 text-start font-normal wrap-anywhere">
                  <Link href={`/settings/keys/${bot.api_key_id}`} tone="plain">
                    {bot.name}
                  </Link>
                </th>
                <td className="pe-3">
                  <RelativeTime at={bot.last_asked_at} fallback={words.common.never} />
                </td>
                <td className="tabular text-end">{formatCount(bot.delivered)}</td>
                <td className="tabular ps-3 text-end">{formatCount(bot.errors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </AnswerPanel>
  );
}
