import { formatCount } from "#components/format.ts";
import { reasonName } from "#components/statistics/reason-name.ts";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { FetchRun } from "#lib/collect/stream-schema.ts";

function resultOf({ error, finished_at, dropped }: FetchRun): string {
  if (error !== null) return error;
  if (finished_at === null) return "Running";
  const reasons = Object.entries(dropped);
  return reasons.map(([reason, n]) => `${reasonName(reason)}: ${formatCount(n)}`).join(", ") || "Complete";
}

const skippedBy = ({ dropped }: FetchRun) => Object.values(dropped).reduce((sum, count) => sum + count, 0);

const numbers: [key: string, header: string, of: (run: FetchRun) => number][] = [
  ["new", "New", (run) => run.new],
  ["known", "Known", (run) => run.duplicates],
  ["auto", "Rejected", (run) => run.auto_rejected],
  ["dropped", "Skipped", skippedBy],
];

const columns: Column<FetchRun>[] = [
  {
    key: "started",
    header: "Started",
    primary: true,
    width: "9rem",
    cell: (run) => <RelativeTime at={run.started_at} />,
  },
  ...numbers.map(([key, header, of]): Column<FetchRun> => ({
    key,
    header,
    numeric: true,
    width: "6rem",
    cell: (run) => formatCount(of(run)),
  })),
  { key: "result", header: "Result", wrap: true, cell: resultOf },
];

export function RunsPanel({ runs, isDue }: { runs: FetchRun[]; isDue: boolean }) {
  return (
    <Panel title="Fetches" description="The last 20." flush>
      <DataTable
        caption="Fetches"
        columns={columns}
        rows={runs}
        rowKey={(run) => run.id}
        empty={<EmptyState title={isDue ? "Fetched shortly" : "Not fetched yet"} className="py-8" />}
      />
    </Panel>
  );
}
