import type { ReactNode } from "react";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type DataTableProps } from "#components/ui/data-table.tsx";
import type { DayRange } from "#lib/stats/overview-schema.ts";
import { CsvLink } from "./csv-link.tsx";

export interface TablePanelProps<Row> extends Pick<
  DataTableProps<Row>,
  "columns" | "rows" | "rowKey" | "empty"
> {
  title: string;
  description?: string;
  range: DayRange;
  /** Section of the CSV export. */
  section: string;
  /** Its figures have no list of posts. */
  unlisted?: boolean;
  /** Below the table. */
  children?: ReactNode;
}

/** A table of the overview, with its CSV export. */
export function TablePanel<Row>({
  title,
  description,
  range,
  section,
  unlisted = false,
  children,
  ...table
}: TablePanelProps<Row>) {
  return (
    <Panel
      level={3}
      title={title}
      description={description}
      flush
      actions={<CsvLink range={range} section={section} label={title} />}
    >
      <div data-unlisted={unlisted || undefined}>
        <DataTable caption={title} {...table} />
        {children}
      </div>
    </Panel>
  );
}
