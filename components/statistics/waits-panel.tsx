import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { FigureHelp } from "#components/ui/figure-help.tsx";
import { formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { waitList } from "#lib/client/figure-lists.ts";
import type { Wait } from "#lib/stats/answers-schema.ts";
import type { DayRange, Overview } from "#lib/stats/overview-schema.ts";

const w = words.statistics;

function waited(seconds: number | null): string {
  return seconds === null ? "–" : formatDuration(Math.round(seconds));
}

interface Row {
  key: string;
  name: string;
  kind: "review" | "delivery";
  current: Wait;
  previous: Wait;
}

const figures = { review: "time_to_review", delivery: "time_to_delivery" } as const;

const columnsOf = ({ range, previous }: Overview): Column<Row>[] => {
  const cell = (share: "p50" | "p90" | "p99") => (row: Row) => (
    <span data-figure={figures[row.kind]}>
      <Waited kind={row.kind} range={range} seconds={row.current[share]} />
    </span>
  );
  return [
    {
      key: "name",
      header: w.way,
      primary: true,
      wrap: true,
      cell: (row) => (
        <>
          {row.name}
          <FigureHelp figure={figures[row.kind]} label={row.name} className="-my-1" />
        </>
      ),
    },
    { key: "p50", header: w.p50, numeric: true, cell: cell("p50") },
    { key: "p90", header: w.p90, numeric: true, cell: cell("p90") },
    { key: "p99", header: w.p99, numeric: true, cell: cell("p99") },
    {
      key: "before",
      header: w.before,
      numeric: true,
      cell: (row) => (
        <span data-figure={figures[row.kind]}>
          <Waited kind={row.kind} range={previous} seconds={row.previous.p50} />
        </span>
      ),
    },
  ];
};

export function Waited({
  kind,
  range,
  seconds,
  narrow,
}: {
  kind: "review" | "delivery";
  range: DayRange;
  seconds: number | null;
  narrow?: Record<string, string | number>;
}) {
  return <FigureLink href={waitList(kind, range, seconds, narrow)}>{waited(seconds)}</FigureLink>;
}

export function WaitsPanel({ overview }: { overview: Overview }) {
  const rows: Row[] = [
    { key: "review", kind: "review", name: w.timeToReview, ...overview.time_to_review },
    { key: "delivery", kind: "delivery", name: w.timeToDelivery, ...overview.time_to_delivery },
  ];
  return (
    <Panel level={3} title={w.waits} description={w.waitsHint} flush>
      <DataTable caption={w.waits} columns={columnsOf(overview)} rows={rows} rowKey={(row) => row.key} />
    </Panel>
  );
}
