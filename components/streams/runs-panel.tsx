import { reasonName } from "#components/statistics/reason-name.ts";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { formatCount } from "#components/words/format.ts";
import type { FetchRun } from "#lib/collect/stream-schema.ts";

const w = words.streams;
const leftOut = (run: FetchRun) => Object.values(run.dropped).reduce((sum, count) => sum + count, 0);
const reasons = (run: Pick<FetchRun, "dropped">) =>
  Object.entries(run.dropped)
    .map(([reason, count]) => `${reasonName(reason)}: ${formatCount(count)}`)
    .join(", ");
/** Posts that are too long get a sentence, because the server has posts that this service never reads. */
function resultOf(run: FetchRun): string {
  if (run.error !== null) return run.error;
  if (run.finished_at === null) return w.underWay;
  const { too_large: tooLong = 0, ...dropped } = run.dropped;
  const sentences = tooLong > 0 ? [w.tooLong(tooLong)] : [];
  return [...sentences, reasons({ dropped })].join(" ").trim() || w.fine;
}

const columns: Column<FetchRun>[] = [
  {
    key: "started",
    header: w.started,
    primary: true,
    width: "9rem",
    cell: (run) => <RelativeTime at={run.started_at} />,
  },
  { key: "seen", header: w.seen, numeric: true, width: "5rem", cell: (run) => formatCount(run.seen) },
  { key: "new", header: w.fresh, numeric: true, width: "5rem", cell: (run) => formatCount(run.new) },
  { key: "known", header: w.known, numeric: true, width: "5rem", cell: (run) => formatCount(run.duplicates) },
  {
    key: "auto",
    header: w.autoRejected,
    numeric: true,
    width: "8rem",
    cell: (run) => formatCount(run.auto_rejected),
  },
  {
    key: "dropped",
    header: w.dropped,
    numeric: true,
    width: "6rem",
    cell: (run) => <span title={reasons(run)}>{formatCount(leftOut(run))}</span>,
  },
  {
    key: "result",
    header: w.result,
    wrap: true,
    cell: resultOf,
  },
];

export function RunsPanel({ runs }: { runs: FetchRun[] }) {
  return (
    <Panel title={w.runs} description={w.runsHint} flush>
      <DataTable
        caption={w.runs}
        columns={columns}
        rows={runs}
        rowKey={(run) => run.id}
        empty={<EmptyState title={w.runsEmpty} className="py-8" />}
      />
    </Panel>
  );
}
