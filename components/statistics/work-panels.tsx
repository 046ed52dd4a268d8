"use client";
import { useState, type ReactNode } from "react";
import { HeatMap } from "#components/charts/heat-map.tsx";
import { DefinitionList, Panel } from "#components/ui/card.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { formatCount, formatDuration, formatMoment } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { FigureName } from "#lib/figures-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const w = words.statistics;

function Term({ figure, children }: { figure: FigureName; children: string }) {
  return (
    <span className="inline-flex items-center">
      {children}
      <FigureHelp figure={figure} label={children} className="-my-1" />
    </span>
  );
}

/** A sentence that answers the title, and its figures. */
function AnswerPanel({
  title,
  figure,
  answer,
  items,
  children,
}: {
  title: string;
  figure: FigureName;
  answer: string;
  items: readonly { term: string; figure?: FigureName; value: string }[];
  children: ReactNode;
}) {
  return (
    <Panel title={title} figure={figure}>
      <p data-answer className="mb-3 text-16 font-medium">
        {answer}
      </p>
      <DefinitionList
        className="mb-4"
        items={items.map((item) => ({
          term: item.figure ? <Term figure={item.figure}>{item.term}</Term> : item.term,
          value: <span data-figure={item.figure}>{item.value}</span>,
        }))}
      />
      {children}
    </Panel>
  );
}

/** Will the queue last? */
export function ForecastPanel({ overview: { runway, hours } }: { overview: Overview }) {
  const zone = useTimeZone();
  const when = (time: string) => formatMoment(Date.parse(time), zone);
  const { supply, days, runs_dry_at: dry, with_approvals_runs_dry_at: later } = runway;
  const answer =
    days === null
      ? w.lastsUnknown
      : supply === 0
        ? w.lastsEmpty
        : dry === null
          ? w.lastsYears
          : w.lastsUntil(when(dry), formatDuration(days * 86_400));
  return (
    <AnswerPanel
      title={w.lasts}
      figure="runway_days"
      answer={answer}
      items={[
        { term: w.supply, value: formatCount(supply) },
        {
          term: w.deliveriesPerDay,
          figure: "deliveries_per_day",
          value: formatCount(runway.deliveries_per_day),
        },
        {
          term: w.approvalsPerDay,
          figure: "approvals_per_day",
          value: formatCount(runway.approvals_per_day),
        },
        {
          term: w.withApprovals,
          figure: "supply_with_approvals",
          value: days === null ? "–" : later === null ? w.lastsWithApprovals : when(later),
        },
      ]}
    >
      <HeatMap label={w.deliveriesByHour} values={hours.map((each) => each.deliveries)} />
    </AnswerPanel>
  );
}

type Layer = "difference" | "arrivals" | "decisions";

/** Do we keep up? */
export function KeepUpPanel({ overview, unreviewed }: { overview: Overview; unreviewed: number }) {
  const [layer, setLayer] = useState<Layer>("difference");
  const { hours } = overview;
  const sum = (of: "arrivals" | "decisions") => hours.reduce((all, each) => all + each[of], 0);
  const [arrivals, decisions] = [sum("arrivals"), sum("decisions")];
  const more = arrivals - decisions;
  const answer =
    arrivals + decisions === 0 ? w.keepUpUnknown : more > 0 ? w.keepUpNo(formatCount(more)) : w.keepUpYes;
  return (
    <AnswerPanel
      title={w.keepUp}
      figure="backlog_change"
      answer={answer}
      items={[
        { term: w.arrivals, figure: "arrivals", value: formatCount(arrivals) },
        { term: w.decisions, figure: "hourly_decisions", value: formatCount(decisions) },
        {
          term: w.difference,
          figure: "backlog_change",
          value: `${more > 0 ? "+" : ""}${formatCount(more)}`,
        },
        { term: w.unreviewed, figure: "unreviewed", value: formatCount(unreviewed) },
      ]}
    >
      <HeatMap
        label={w.layers[layer]}
        values={hours.map((each) => (layer === "difference" ? each.arrivals - each.decisions : each[layer]))}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <SegmentedControl
          label={w.layer}
          value={layer}
          onChange={(value) => setLayer(value as Layer)}
          options={(["difference", "arrivals", "decisions"] as const).map((value) => ({
            value,
            label: w.layerNames[value],
          }))}
        />
        {layer === "difference" ? <span className="text-12 text-muted">{w.differenceHint}</span> : null}
      </div>
    </AnswerPanel>
  );
}
