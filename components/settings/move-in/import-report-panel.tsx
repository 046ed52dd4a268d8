import { Download } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { type Column, DataTable } from "#components/ui/data-table.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import type { ImportReport } from "#lib/import-fenliu/schema.ts";

const w = words.moveIn;

type Count = [kind: string, rows: number];

const counts: Column<Count>[] = [
  {
    key: "kind",
    header: w.kind,
    primary: true,
    cell: ([kind]) => w.kinds[kind] ?? kind.replaceAll("_", " "),
  },
  { key: "rows", header: w.rows, numeric: true, cell: ([, rows]) => rows.toLocaleString("en") },
];

const notTaken: Column<ImportReport["not_taken"][number]>[] = [
  { key: "reason", header: w.reason, primary: true, wrap: true, cell: ({ reason }) => reason },
  { key: "table", header: w.table, cell: ({ table }) => table },
  { key: "rows", header: w.rows, numeric: true, cell: ({ rows }) => rows.toLocaleString("en") },
];

export function ImportReportPanel({ report }: { report: ImportReport }) {
  if (report.error !== null) return <Notice tone="warn">{w.failed(report.error)}</Notice>;
  return (
    <div className="space-y-6">
      <Notice tone="approve">{report.dry_run ? w.dryRunDone : w.importDone}</Notice>
      {report.dry_run ? null : <BotSettings />}
      <Panel title={w.taken} flush>
        <DataTable
          caption={w.taken}
          columns={counts}
          rows={Object.entries(report.taken)}
          rowKey={([kind]) => kind}
        />
      </Panel>
      <Panel
        title={w.notTaken}
        flush={report.not_taken.length > 0}
        actions={
          report.not_taken.length === 0 ? undefined : (
            <a
              href="/api/v1/import-fenliu/not-taken.csv"
              download
              aria-label={`${words.common.exportCsv}: ${w.notTaken}`}
              className={buttonClass("quiet", "sm")}
            >
              <Download aria-hidden />
              {words.common.exportCsv}
            </a>
          )
        }
      >
        {report.not_taken.length === 0 ? (
          <p className="text-13">{w.everything}</p>
        ) : (
          <DataTable
            caption={w.notTaken}
            columns={notTaken}
            rows={report.not_taken}
            rowKey={({ table, reason }) => `${table} ${reason}`}
          />
        )}
      </Panel>
      <Panel title={w.totals} flush>
        <DataTable
          caption={w.totals}
          columns={counts}
          rows={Object.entries(report.totals)}
          rowKey={([kind]) => kind}
        />
      </Panel>
    </div>
  );
}

function BotSettings() {
  const origin = typeof window === "undefined" ? "" : window.location.origin;
  return (
    <Notice>
      {w.next}
      <pre className="mt-2 overflow-x-auto text-13" suppressHydrationWarning>
        {`base_url = "${origin}/api/v1"\napi_key = "slc_…"`}
      </pre>
    </Notice>
  );
}
