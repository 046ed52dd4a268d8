"use client";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { BotsPanel, ChoicePanel, KeepUpPanel, SupplyPanel } from "./answers.tsx";
import { Breakdown } from "./breakdown.tsx";
import { DuplicatesPanel } from "./duplicates-panel.tsx";
import { ErrorsPanel } from "./errors-panel.tsx";

const presets = { "7": "7 days", "30": "30 days", "90": "90 days" } as Record<string, string>;

/** A faster refresh only flickers. */
const REFRESH_MS = 30_000;
/** Below, shares say nothing. */
const ENOUGH = 30;

export interface StatisticsData {
  /** Of the range. */
  length: number;
  /** Decisions of all time. */
  decided: number;
  overview: Overview;
  errors: ErrorStats;
}

export function StatisticsBoard({ length, decided, ...rendered }: StatisticsData) {
  const live = { refreshEvery: REFRESH_MS };
  const overview =
    useApi<Overview>(withQuery("/stats/overview", { days: length }), {
      fallback: rendered.overview,
      ...live,
    }).data ?? rendered.overview;
  const errors =
    useApi<ErrorStats>("/stats/errors", { fallback: rendered.errors, ...live }).data ?? rendered.errors;
  const isEnough = decided >= ENOUGH;
  return (
    <>
      <PageHeader title="Statistics">
        {isEnough ? (
          <LinkTabs
            label="Range"
            tabs={Object.entries(presets).map(([days, label]) => ({
              href: withQuery("/statistics", { days }),
              label,
              current: length === Number(days),
            }))}
          />
        ) : null}
      </PageHeader>
      <div className="space-y-4">
        {isEnough ? (
          <>
            <div className={pair}>
              <SupplyPanel overview={overview} />
              <KeepUpPanel overview={overview} />
              <ChoicePanel overview={overview} />
              <BotsPanel overview={overview} />
            </div>
            <Breakdown overview={overview} />
          </>
        ) : (
          <Card className="flex flex-wrap items-center gap-4 px-4 py-3">
            <p className="min-w-0 flex-1 basis-52 text-14">
              Statistics start with {ENOUGH} decisions. So far there are {decided}.
            </p>
            <ButtonLink href="/review">Review</ButtonLink>
          </Card>
        )}
        <div className={pair}>
          <ErrorsPanel groups={errors.groups} />
          <DuplicatesPanel duplicates={errors.duplicates} />
        </div>
      </div>
    </>
  );
}

const pair = "grid grid-cols-[minmax(0,1fr)] items-start gap-4 wide:grid-cols-2";
