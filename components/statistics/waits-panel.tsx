import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { Overview, Wait } from "#lib/stats/overview-schema.ts";

const w = words.statistics;

/** Seconds as words; a dash when nothing waited. */
export function waited(seconds: number | null): string {
  return seconds === null ? "–" : formatDuration(Math.round(seconds));
}

interface Row {
  key: string;
  name: string;
  current: Wait;
  previous: Wait;
}

const columns: Column<Row>[] = [
  { key: "name", header: w.way, primary: true, wrap: true, cell: (row) => row.name },
  { key: "p50", header: w.p50, numeric: true, cell: (row) => waited(row.current.p50) },
  { key: "p90", header: w.p90, numeric: true, cell: (row) => waited(row.current.p90) },
  { key: "p99", header: w.p99, numeric: true, cell: (row) => waited(row.current.p99) },
  { key: "before", header: w.before, numeric: true, cell: (row) => waited(row.previous.p50) },
];

/** How long posts wait for a reviewer, and approved ones for a consumer. */
export function WaitsPanel({ overview }: { overview: Overview }) {
  const rows: Row[] = [
    { key: "review", name: w.timeToReview, ...overview.time_to_review },
    { key: "delivery", name: w.timeToDelivery, ...overview.time_to_delivery },
  ];
  return (
    <Panel title={w.waits} description={w.waitsHint} flush className="self-start">
      <DataTable caption={w.waits} columns={columns} rows={rows} rowKey={(row) => row.key} />
    </Panel>
  );
}
