"use client";
import { Download, Gauge } from "lucide-react";
import { buttonClass, ButtonLink } from "#components/ui/button.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import { daysOf, type DayRange, type Overview } from "#lib/stats/overview-schema.ts";
import type { DailyStats, ErrorStats, Stats } from "#lib/stats/schema.ts";
import { DayCharts } from "./day-charts.tsx";
import { DuplicatesPanel } from "./duplicates-panel.tsx";
import { FunnelPanel } from "./funnel-panel.tsx";
import { NowFigures, RangeFigures } from "./figures.tsx";
import { PeoplePanels } from "./people-panels.tsx";
import { RangeBar } from "./range-bar.tsx";
import { WaitsPanel } from "./waits-panel.tsx";

const w = words.statistics;
/** A faster refresh only flickers. */
const REFRESH_MS = 30_000;

export interface StatisticsData {
  range: DayRange;
  overview: Overview;
  stats: Stats;
  days: DailyStats["days"];
  errors: ErrorStats;
}

export function StatisticsBoard({ range, days, ...rendered }: StatisticsData) {
  const live = { refreshEvery: REFRESH_MS };
  const overview =
    useApi<Overview>(withQuery("/stats/overview", range), { fallback: rendered.overview, ...live }).data ??
    rendered.overview;
  const stats = useApi<Stats>("/stats", { fallback: rendered.stats, ...live }).data ?? rendered.stats;
  const errors =
    useApi<ErrorStats>("/stats/errors", { fallback: rendered.errors, ...live }).data ?? rendered.errors;
  const shownDays = useDays(range, days);
  return (
    <>
      <PageHeader
        title={w.title}
        description={w.description}
        actions={
          <>
            <ButtonLink href="/statistics/checks" icon={<Gauge aria-hidden />}>
              {words.checks.qualityLink}
            </ButtonLink>
            <a href={withQuery("/api/v1/stats/overview.csv", range)} download className={buttonClass()}>
              <Download aria-hidden />
              {w.export}
            </a>
          </>
        }
      >
        <RangeBar range={range} />
      </PageHeader>
      <div className="space-y-6">
        <RangeFigures overview={overview} />
        <DayCharts days={shownDays} />
        <NowFigures stats={stats} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <FunnelPanel overview={overview} />
          <WaitsPanel overview={overview} />
        </div>
        <PeoplePanels overview={overview} />
        <DuplicatesPanel duplicates={errors.duplicates} />
      </div>
    </>
  );
}

/** Maximum days per call. */
const LONGEST = 365;

/** Refreshed while the range includes today. */
function useDays(range: DayRange, rendered: DailyStats["days"]): DailyStats["days"] {
  const today = new Date().toISOString().slice(0, 10);
  const back = daysOf({ from: range.from, to: today });
  const isLive = range.to >= today && back <= LONGEST;
  const { data } = useApi<DailyStats>(isLive ? withQuery("/stats/daily", { days: back }) : null, {
    fallback: { days: rendered },
    refreshEvery: REFRESH_MS,
  });
  return (data?.days ?? rendered).filter((day) => day.date >= range.from && day.date <= range.to);
}
