import { cn } from "./cn.ts";
import type { Column, DataTableProps } from "./data-table-props.ts";
import { FigureHelp } from "./figure-help.tsx";

/* Headers of a table and their definitions. */

/** Headers are hidden below 720 px. */
export function PhoneDefinitions<Row>({ columns }: Pick<DataTableProps<Row>, "columns">) {
  const defined = columns.filter((column) => column.figure && !column.deskOnly);
  if (defined.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 border-t border-line px-4 py-1 text-12 text-muted desk:hidden">
      {defined.map(({ key, header, figure }) =>
        figure ? (
          <li key={key} className="inline-flex items-center">
            {header}
            <FigureHelp figure={figure} label={header} />
          </li>
        ) : null,
      )}
    </ul>
  );
}

export const headCell =
  "sticky top-0 z-10 h-9 border-b border-line bg-surface px-2 text-start text-12 font-medium text-muted first:ps-4 last:pe-4";

export function HeadCell<Row>({ column }: { column: Column<Row> }) {
  return (
    <th
      role="columnheader"
      scope="col"
      style={column.width ? { width: column.width } : undefined}
      className={cn(
        headCell,
        column.numeric && "text-end",
        column.figure && "whitespace-nowrap",
        column.wideOnly && "max-wide:hidden",
      )}
    >
      <span className={column.hideHeader ? "hidden-visually" : undefined}>{column.header}</span>
      {column.figure ? <FigureHelp figure={column.figure} label={column.header} /> : null}
    </th>
  );
}
