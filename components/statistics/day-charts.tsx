import { BarChart } from "#components/charts/bar-chart.tsx";
import { LineChart } from "#components/charts/line-chart.tsx";
import type { ChartRow } from "#components/charts/series.ts";
import { Panel } from "#components/ui/card.tsx";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { ListedMetric } from "#lib/stats/metrics-schema.ts";
import type { DailyStats } from "#lib/stats/schema.ts";

const w = words.statistics;

const listOf = ({ date }: ChartRow, flow: string) =>
  figureList(
    flow as ListedMetric,
    { from: String(date), to: String(date) },
    flow === "rejected" ? byPeople : {},
  );

export function DayCharts({ days }: { days: DailyStats["days"] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 wide:grid-cols-2">
      <Panel title={w.flow} description={w.flowHint}>
        <LineChart
          label={w.flow}
          rows={days}
          x="date"
          hrefOf={listOf}
          series={[
            { key: "fetched", label: w.fetched, tone: "neutral" },
            { key: "approved", label: w.approved, tone: "accent" },
            { key: "delivered", label: w.delivered, tone: "info" },
          ]}
        />
      </Panel>
      <Panel title={w.decisions} description={w.decisionsHint}>
        <BarChart
          stacked
          label={w.decisions}
          rows={days.map((day) => ({ ...day, rejected: day.decided - day.approved }))}
          x="date"
          hrefOf={listOf}
          series={[
            { key: "approved", label: w.approved, tone: "approve" },
            { key: "rejected", label: w.rejected, tone: "reject" },
          ]}
        />
      </Panel>
    </div>
  );
}
