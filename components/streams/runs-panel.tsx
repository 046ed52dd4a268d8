import { reasonName } from "#components/statistics/reason-name.ts";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, plural } from "#components/format.ts";
import type { FetchRun } from "#lib/collect/stream-schema.ts";

const leftOut = (run: FetchRun) => Object.values(run.dropped).reduce((sum, count) => sum + count, 0);
const reasons = (run: Pick<FetchRun, "dropped">) =>
  Object.entries(run.dropped)
    .map(([reason, count]) => `${reasonName(reason)}: ${formatCount(count)}`)
    .join(", ");
/** Posts that are too long get a sentence, because the server has posts that this service never reads. */
function resultOf(run: FetchRun): string {
  if (run.error !== null) return run.error;
  if (run.finished_at === null) return "Running";
  const { too_large: tooLong = 0, ...dropped } = run.dropped;
  const sentences =
    tooLong > 0 ? [`${plural(tooLong, "post was", "posts were")} skipped: too long to be read.`] : [];
  return [...sentences, reasons({ dropped })].join(" ").trim() || "Complete";
}

const columns: Column<FetchRun>[] = [
  {
    key: "started",
    header: "Started",
    primary: true,
    width: "9rem",
    cell: (run) => <RelativeTime at={run.started_at} />,
  },
  { key: "seen", header: "Read", numeric: true, width: "5rem", cell: (run) => formatCount(run.seen) },
  { key: "new", header: "New", numeric: true, width: "5rem", cell: (run) => formatCount(run.new) },
  { key: "known", header: "Known", numeric: true, width: "5rem", cell: (run) => formatCount(run.duplicates) },
  {
    key: "auto",
    header: "Rejected by a filter",
    numeric: true,
    width: "8rem",
    cell: (run) => formatCount(run.auto_rejected),
  },
  {
    key: "dropped",
    header: "Skipped",
    numeric: true,
    width: "6rem",
    cell: (run) => <span title={reasons(run)}>{formatCount(leftOut(run))}</span>,
  },
  {
    key: "result",
    header: "Result",
    wrap: true,
    cell: resultOf,
  },
];

export function RunsPanel({ runs }: { runs: FetchRun[] }) {
  return (
    <Panel title="Fetches" description="The last 20." flush>
      <DataTable
        caption="Fetches"
        columns={columns}
        rows={runs}
        rowKey={(run) => run.id}
        empty={<EmptyState title="Not fetched yet" className="py-8" />}
      />
    </Panel>
  );
}
