"use client";
import { BarChart } from "#components/charts/bar-chart.tsx";
import { ChartCsv } from "#components/charts/chart-csv.tsx";
import { LineChart } from "#components/charts/line-chart.tsx";
import type { ChartProps } from "#components/charts/series.ts";
import { Panel } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { Tabs } from "#components/ui/tabs.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { CheckQuality } from "#lib/checks/quality/schema.ts";
import { nameOf } from "./check-name.ts";
import { isEnough, progressOf, type Span } from "./figures-table.tsx";

const w = words.checks;

export function CheckCharts({ checks, span }: { checks: readonly CheckQuality[]; span: Span }) {
  return (
    <Tabs
      label={w.chosen}
      defaultValue="learner"
      tabs={checks.map((check) => ({
        value: check.name,
        label: nameOf(check.name),
        content: <ChartsOf check={check} span={span} />,
      }))}
    />
  );
}

function ChartsOf({ check, span }: { check: CheckQuality; span: Span }) {
  if (!isEnough(check)) {
    const isUsed = check.all_time.n > 0;
    return (
      <EmptyState
        title={isUsed ? progressOf(check) : w.notUsed}
        className="rounded-lg border border-line bg-surface"
      >
        {isUsed ? w.countedHint : w.notUsedHint}
      </EmptyState>
    );
  }
  const name = nameOf(check.name);
  const percent = (share: number | null) => (share === null ? null : Math.round(share * 1000) / 10);
  const reliability: ChartProps = {
    label: w.reliabilityOf(name),
    x: "bin",
    xKind: "text",
    xLabel: w.scoreBin,
    range: [0, 100],
    rows: check[span].bins.map((bin) => ({
      bin: w.bin(Math.round(bin.from * 100), Math.round(bin.to * 100)),
      score: percent(bin.mean_score),
      rejected: percent(bin.share_rejected),
      n: bin.n,
    })),
    series: [
      { key: "score", label: w.meanScore, tone: "info" },
      { key: "rejected", label: w.shareRejected, tone: "reject" },
    ],
    columns: [{ key: "n", label: w.decisions }],
  };
  const curve: ChartProps = {
    label: w.curveOf(name),
    x: "part",
    xKind: "text",
    xLabel: w.part,
    range: [0, 1],
    rows: check.learning_curve.map(({ from, to, ...part }) => ({
      part: `${formatCount(from + 1)}–${formatCount(to)}`,
      ...part,
    })),
    series: [
      { key: "auc", label: w.auc, tone: "accent" },
      { key: "brier", label: w.brier, tone: "reject" },
      { key: "ece", label: w.ece, tone: "warn" },
    ],
    columns: [{ key: "n", label: w.decisions }],
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 wide:grid-cols-2">
      <Panel title={w.reliability} description={w.reliabilityHint} actions={<ChartCsv {...reliability} />}>
        <BarChart {...reliability} />
      </Panel>
      <Panel title={w.curve} description={w.curveHint} actions={<ChartCsv {...curve} />}>
        <LineChart {...curve} />
      </Panel>
    </div>
  );
}
