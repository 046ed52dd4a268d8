"use client";
import { PageHeader } from "#components/shell/page-header.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import { daysOf, type DayRange, type Overview } from "#lib/stats/overview-schema.ts";
import type { DailyStats, ErrorStats, Stats } from "#lib/stats/schema.ts";
import { AgreementPanel } from "./agreement-panel.tsx";
import { BotsPanel } from "./bots-panel.tsx";
import { LanguagesPanel, RejectionsPanel } from "./choice-panels.tsx";
import { DayCharts } from "./day-charts.tsx";
import { DuplicatesPanel } from "./duplicates-panel.tsx";
import { FunnelPanel } from "./funnel-panel.tsx";
import { NowFigures, RangeFigures } from "./figures.tsx";
import { AuthorsPanel, ReviewersPanel, StreamsAndServers } from "./people-panels.tsx";
import { Question } from "./question.tsx";
import { RangeBar } from "./range-bar.tsx";
import { RejectReasonsPanel } from "./reject-reasons-panel.tsx";
import { WaitsPanel } from "./waits-panel.tsx";
import { ForecastPanel, KeepUpPanel } from "./work-panels.tsx";

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
      <PageHeader title={w.title} description={w.description}>
        <RangeBar range={range} />
      </PageHeader>
      <div className="space-y-8">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 wide:grid-cols-2">
          <ForecastPanel overview={overview} />
          <KeepUpPanel overview={overview} unreviewed={stats.unreviewed_posts} />
        </div>
        <DayCharts days={shownDays} />
        <Question title={w.choices}>
          <RangeFigures overview={overview} />
          <FunnelPanel overview={overview} />
          <RejectionsPanel overview={overview} />
          <RejectReasonsPanel overview={overview} />
          <StreamsAndServers overview={overview} />
          <LanguagesPanel overview={overview} />
          <AuthorsPanel overview={overview} />
          <NowFigures stats={stats} />
        </Question>
        <Question title={w.agreementTitle}>
          <AgreementPanel overview={overview} />
          <ReviewersPanel overview={overview} />
        </Question>
        <Question title={w.deliveriesTitle}>
          <BotsPanel overview={overview} />
          <WaitsPanel overview={overview} />
          <DuplicatesPanel duplicates={errors.duplicates} />
        </Question>
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
