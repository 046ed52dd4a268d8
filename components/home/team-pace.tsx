import { FigureLink } from "#components/charts/figure-link.tsx";
import { toneFill } from "#components/charts/series.ts";
import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, formatShortDate } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { byPeople, byReviewer, decisionList, figureList } from "#lib/client/figure-lists.ts";
import type { FigureName } from "#lib/figures-schema.ts";
import type { DayPace, ReviewerPace, TeamPace as Pace } from "#lib/stats/team-pace.ts";

const w = words.home;
const weekday = new Intl.DateTimeFormat("en", { weekday: "short", timeZone: "UTC" });

export function TeamPace({ pace, memberId }: { pace: Pace; memberId: number }) {
  const { reviewers, days, hour_from } = pace;
  const isOwn = (line: ReviewerPace) => Number(line.member_id === memberId);
  const lines = [...reviewers].sort((a, b) => isOwn(b) - isOwn(a));
  const [first, last] = [days[0], days.at(-1)];
  return (
    <Panel title={w.pace} description={w.paceHint}>
      {days.some((day) => day.arrivals + day.decisions > 0) ? <Balance days={days} /> : null}
      {lines.length === 0 || !first || !last ? (
        <EmptyState title={w.paceEmpty} className="py-4" />
      ) : (
        <table className="mt-3 w-full text-13">
          <caption className="hidden-visually">{w.pace}</caption>
          <thead>
            <tr className="border-b border-line text-12 text-muted">
              <th scope="col" className="h-7 text-start font-medium max-desk:w-full">
                {w.reviewer}
              </th>
              <Head figure="decided_last_hour">{w.lastHour}</Head>
              <Head figure="decided">{w.today}</Head>
              <Head figure="decided_per_day">{w.aDay}</Head>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <ReviewerLine
                key={`${line.member_id}-${line.reviewer}`}
                line={line}
                isMe={line.member_id === memberId}
                from={first.date}
                to={last.date}
                hourFrom={hour_from}
              />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Head({ figure, children }: { figure: FigureName; children: string }) {
  return (
    <th scope="col" className="w-24 text-end font-medium whitespace-nowrap max-desk:w-auto max-desk:ps-3">
      {children}
      <FigureHelp figure={figure} label={children} className="-me-1 pointer-coarse:-mx-2.5" />
    </th>
  );
}

function ReviewerLine({
  line,
  isMe,
  from,
  to,
  hourFrom,
}: {
  line: ReviewerPace;
  isMe: boolean;
  from: string;
  to: string;
  /** ISO; start of the last hour. */
  hourFrom: string;
}) {
  const list = (since: string, more = {}) =>
    figureList("decided", { from: since, to }, { ...byReviewer(line), ...more });
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="h-8 max-w-0 truncate pe-2 text-start font-normal" title={line.reviewer}>
        <FigureLink href={decisionList(byReviewer(line))}>{line.reviewer}</FigureLink>
        {isMe ? <span className="text-muted"> ({w.you})</span> : null}
      </th>
      <td data-figure="decided_last_hour" className="tabular pe-5 text-end pointer-coarse:pe-6">
        <FigureLink href={list(to, { since: hourFrom })}>{formatCount(line.last_hour)}</FigureLink>
      </td>
      <td data-figure="decided" className="tabular pe-5 text-end pointer-coarse:pe-6">
        <FigureLink href={list(to)}>{formatCount(line.today)}</FigureLink>
      </td>
      <td data-figure="decided_per_day" className="tabular pe-5 text-end pointer-coarse:pe-6">
        <FigureLink href={list(from)}>
          {formatCount(Math.round((10 * line.week) / line.days) / 10)}
        </FigureLink>
      </td>
    </tr>
  );
}

/** Arrivals against decisions, by day. */
function Balance({ days }: { days: readonly DayPace[] }) {
  const max = Math.max(1, ...days.flatMap((day) => [day.arrivals, day.decisions]));
  const sum = (name: "arrivals" | "decisions") => formatCount(days.reduce((so, day) => so + day[name], 0));
  const range = { from: days[0]?.date ?? "", to: days.at(-1)?.date ?? "" };
  const height = (n: number) => ({ height: `${(100 * n) / max}%` });
  return (
    <figure>
      <figcaption className="text-13">
        <FigureLink href={figureList("fetched", range, byPeople)}>{sum("arrivals")}</FigureLink> {w.arrived}{" "}
        <FigureLink href={figureList("decided", range)}>{sum("decisions")}</FigureLink> {w.decidedInWeek}
        <FigureHelp figure="backlog_change" label={w.arrivals} />
      </figcaption>
      <div aria-hidden className="mt-2 flex h-16 gap-2">
        {days.map((day) => (
          <span key={day.date} className="flex min-w-0 flex-1 items-end gap-0.5 border-b border-line">
            <span
              data-bar="frame"
              className={cn("flex-1", day.arrivals > 0 && "border border-b-0 border-line-strong")}
              style={height(day.arrivals)}
            />
            <span
              data-bar
              className="flex-1"
              style={{ ...height(day.decisions), background: toneFill.accent }}
            />
          </span>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex gap-2 text-center text-12 text-muted">
        {days.map((day) => (
          <span key={day.date} className="min-w-0 flex-1">
            {weekday.format(Date.parse(day.date))}
          </span>
        ))}
      </div>
      <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 text-12 text-muted">
        <span className="inline-flex items-center gap-1">
          <span className="size-2.5 border border-line-strong" /> {w.arrivals}
        </span>
        <span className="inline-flex items-center gap-1">
          <span data-bar className="size-2.5" style={{ background: toneFill.accent }} /> {w.decisions}
        </span>
      </p>
      <table className="hidden-visually">
        <caption>{w.pace}</caption>
        <thead>
          <tr>
            <th scope="col">{words.common.date}</th>
            <th scope="col">{w.arrivals}</th>
            <th scope="col">{w.decisions}</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{formatShortDate(day.date)}</th>
              <td>{formatCount(day.arrivals)}</td>
              <td>{formatCount(day.decisions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
