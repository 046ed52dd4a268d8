import type { ReactNode } from "react";
import type { FigureName } from "#lib/base/figures-schema.ts";
import { cn } from "./cn.ts";

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  width?: string;
  /** Title of the card below 720 px, `th scope=row` above. */
  primary?: boolean;
  hideHeader?: boolean;
  /** Hidden below 720 px. */
  deskOnly?: boolean;
  wrap?: boolean;
  figure?: FigureName;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  density?: "compact" | "comfortable";
  empty?: ReactNode;
  className?: string;
}

/**
 * A table, shown as cards below 720 px. Roles are explicit, because `display: block` removes the implicit ones. Cards show
 * the header of a cell from `data-label`.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, density = "compact", empty, className } = props;
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  // Cards show three or more figures side by side.
  const tiled = columns.filter((column) => column.numeric && !column.deskOnly).length >= 3;
  return (
    <div className={cn("max-wide:desk:overflow-x-auto", className)}>
      <table role="table" className="block w-full border-collapse text-13 leading-[1.35] desk:table">
        <caption className="hidden-visually">{caption}</caption>
        <thead role="rowgroup" className="hidden desk:table-header-group">
          <tr role="row">
            {columns.map(({ key, header, width, numeric, hideHeader }) => (
              <th
                key={key}
                role="columnheader"
                scope="col"
                style={width ? { width } : undefined}
                className={cn(
                  "sticky top-0 z-10 h-9 border-b border-line bg-surface px-2 text-start text-12 font-medium text-muted first:ps-4 last:pe-4",
                  numeric && "text-end",
                )}
              >
                <span className={hideHeader ? "hidden-visually" : undefined}>{header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block desk:table-row-group">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={cn(
                "relative block border-b border-line px-4 py-3 transition-colors last:border-b-0 hover:bg-wash/60 desk:table-row desk:p-0",
                tiled &&
                  "max-desk:grid max-desk:grid-cols-[repeat(auto-fit,minmax(6rem,1fr))] max-desk:gap-x-3 max-desk:gap-y-1",
              )}
            >
              {columns.map((column) => {
                const Cell = column.primary ? "th" : "td";
                return (
                  <Cell
                    key={column.key}
                    {...(column.primary
                      ? { role: "rowheader", scope: "row" }
                      : { role: "cell", "data-label": column.header })}
                    className={cellClass(column, density, tiled)}
                  >
                    <div data-figure={column.figure} className="min-w-0 max-desk:wrap-anywhere desk:contents">
                      {column.cell(row)}
                    </div>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cellClass<Row>(column: Column<Row>, density: "compact" | "comfortable", tiled: boolean): string {
  return cn(
    "desk:table-cell desk:px-2 desk:align-middle desk:first:ps-4 desk:last:pe-4",
    density === "compact" ? "desk:h-9 desk:py-0.5" : "desk:h-12 desk:py-2",
    column.numeric && "tabular desk:text-end",
    column.deskOnly ? "hidden" : "flex gap-3 max-desk:py-0.5",
    column.wrap ? "wrap-anywhere" : "desk:max-w-0 desk:min-w-28 desk:truncate",
    column.numeric || column.width ? "desk:max-w-none desk:min-w-0 desk:whitespace-nowrap" : undefined,
    !column.primary &&
      !column.hideHeader && [
        "max-desk:before:shrink-0 max-desk:before:text-muted max-desk:before:content-[attr(data-label)]",
        tiled
          ? "max-desk:flex-col max-desk:justify-between max-desk:gap-0 max-desk:before:text-12"
          : "max-desk:before:w-28",
      ],
    tiled && !column.numeric && "max-desk:col-span-full",
    column.primary && "text-start font-medium max-desk:pb-1 max-desk:text-14",
    column.hideHeader && "max-desk:pt-2 desk:text-end",
    "max-desk:has-[input,select]:items-center",
  );
}
