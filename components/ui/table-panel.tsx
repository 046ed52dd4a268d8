import type { ReactNode } from "react";
import { Panel, type PanelProps } from "./card.tsx";
import { DataTable, type Column, type DataTableProps } from "./data-table.tsx";

/** A panel with a table of its own name; `children` stand above the table. */
export function TablePanel<Row>({
  title,
  description,
  actions,
  children,
  footer,
  ...table
}: Pick<PanelProps, "description" | "actions" | "children" | "footer"> &
  Omit<DataTableProps<Row>, "caption"> & { title: string }) {
  return (
    <Panel title={title} description={description} actions={actions} footer={footer} flush>
      {children}
      <DataTable caption={title} density="comfortable" {...table} />
    </Panel>
  );
}

/** The last column: what may be done with a row. On a phone a single icon stands in the corner of the card. */
export function actionsColumn<Row>(
  width: string,
  cell: (row: Row) => ReactNode,
  { isIcon = false } = {},
): Column<Row> {
  return {
    key: "act",
    header: "Actions",
    hideHeader: true,
    width,
    cell: (row) => (
      <span
        className={
          isIcon
            ? "flex max-desk:absolute max-desk:end-2 max-desk:top-2 desk:justify-end"
            : "flex flex-wrap gap-2 desk:justify-end"
        }
      >
        {cell(row)}
      </span>
    ),
  };
}
