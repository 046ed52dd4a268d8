import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { words } from "#components/words/en.ts";
import type { Agreement, ChecksQuality } from "#lib/checks/quality/schema.ts";
import { nameOf } from "./check-name.ts";
import { ShareFigure } from "./share-figure.tsx";

const w = words.checks;

interface Row {
  key: string;
  name: string;
  agreement: Agreement;
}

const columns: Column<Row>[] = [
  { key: "name", header: w.check, primary: true, wrap: true, cell: (row) => row.name },
  {
    key: "blind",
    header: w.hidden,
    numeric: true,
    cell: (row) => <ShareFigure share={row.agreement.blind} />,
  },
  {
    key: "shown",
    header: w.shown,
    numeric: true,
    cell: (row) => <ShareFigure share={row.agreement.shown} />,
  },
  {
    key: "keys",
    header: w.apiKeys,
    numeric: true,
    cell: (row) => <ShareFigure share={row.agreement.api_keys} />,
  },
];

export function AgreementTable({ quality }: { quality: ChecksQuality }) {
  const rows = [
    { key: "all", name: w.all, agreement: quality.advice },
    ...quality.checks
      .filter((check) => check.all_time.n > 0)
      .map(({ name, agreement }) => ({ key: name, name: nameOf(name), agreement })),
  ];
  return (
    <Panel title={w.agreement} description={w.agreementHint} flush>
      <DataTable
        caption={w.agreement}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.key}
        density="comfortable"
      />
    </Panel>
  );
}
