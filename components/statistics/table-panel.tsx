import type { ReactNode } from "react";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type DataTableProps } from "#components/ui/data-table.tsx";

export interface TablePanelProps<Row> extends Pick<
  DataTableProps<Row>,
  "columns" | "rows" | "rowKey" | "empty"
> {
  title: string;
  description?: string;
  /** Its figures have no list of posts. */
  unlisted?: boolean;
  /** Below the table. */
  children?: ReactNode;
}

/** A table of the overview. */
export function TablePanel<Row>({
  title,
  description,
  unlisted = false,
  children,
  ...table
}: TablePanelProps<Row>) {
  return (
    <Panel level={3} title={title} description={description} flush>
      <div data-unlisted={unlisted || undefined}>
        <DataTable caption={title} {...table} />
        {children}
      </div>
    </Panel>
  );
}
