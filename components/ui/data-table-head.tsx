import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import NextLink from "next/link";
import { words } from "#components/words/en.ts";
import { Checkbox } from "./choice.tsx";
import { cn } from "./cn.ts";
import type { Column, DataTableProps, Sort } from "./data-table-props.ts";
import { FigureHelp } from "./figure-help.tsx";

/* Headers of a table, their definitions, sorting and "select all". */

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

export function HeadCell<Row>({
  column,
  sort,
  sortHref,
  onSort,
}: DataTableProps<Row> & { column: Column<Row> }) {
  const sorted = sort?.key === column.key ? sort.direction : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sorted === undefined ? undefined : sorted === "asc" ? "ascending" : "descending"}
      style={column.width ? { width: column.width } : undefined}
      className={cn(
        headCell,
        column.numeric && "text-end",
        column.figure && "whitespace-nowrap",
        column.wideOnly && "max-wide:hidden",
      )}
    >
      {column.sortable && (sortHref || onSort) ? (
        <SortControl
          column={column}
          sort={sort}
          sortHref={sortHref}
          onSort={onSort}
          className="-mx-1 h-7 px-1"
        />
      ) : (
        <span className={column.hideHeader ? "hidden-visually" : undefined}>{column.header}</span>
      )}
      {column.figure ? <FigureHelp figure={column.figure} label={column.header} /> : null}
    </th>
  );
}

/** Selection and sort order below 720 px. */
export function PhoneBar<Row>(props: DataTableProps<Row>) {
  const { columns, selected, sort, sortHref, onSort } = props;
  const sortable = sortHref || onSort ? columns.filter((column) => column.sortable) : [];
  if (!selected && sortable.length === 0) return null;
  return (
    <div className="flex items-center gap-1 overflow-x-auto border-b border-line px-4 text-13 text-muted [scrollbar-width:none] desk:hidden">
      {selected ? <SelectAll {...props} showLabel /> : null}
      {sortable.map((column) => (
        <SortControl
          key={column.key}
          column={column}
          sort={sort}
          sortHref={sortHref}
          onSort={onSort}
          className="h-11 shrink-0 px-2 first:-ms-2"
        />
      ))}
    </div>
  );
}

function SortControl<Row>({
  column,
  sort,
  sortHref,
  onSort,
  className,
}: Pick<DataTableProps<Row>, "sort" | "sortHref" | "onSort"> & { column: Column<Row>; className: string }) {
  const sorted = sort?.key === column.key ? sort.direction : undefined;
  const next: Sort = {
    key: column.key,
    direction: sorted === undefined ? (column.numeric ? "desc" : "asc") : sorted === "asc" ? "desc" : "asc",
  };
  const Arrow = sorted === "asc" ? ArrowUp : sorted === "desc" ? ArrowDown : ChevronsUpDown;
  const look = cn(
    "inline-flex items-center gap-1 rounded-sm font-medium hover:text-text",
    sorted && "text-text",
    className,
  );
  const label = (
    <>
      {column.header}
      <Arrow aria-hidden className={cn("size-3.5 shrink-0", sorted ? "text-text" : "text-line-strong")} />
    </>
  );
  return sortHref ? (
    <NextLink href={sortHref(next)} scroll={false} className={look}>
      {label}
    </NextLink>
  ) : (
    <button type="button" onClick={() => onSort?.(next)} className={look}>
      {label}
    </button>
  );
}

export function SelectAll<Row>({
  rows,
  rowKey,
  selected,
  onToggleAll,
  showLabel = false,
}: DataTableProps<Row> & { showLabel?: boolean }) {
  const count = rows.filter((row) => selected?.has(rowKey(row))).length;
  const all = rows.length > 0 && count === rows.length;
  return (
    <Checkbox
      hideLabel={!showLabel}
      label={words.common.selectAll}
      checked={all}
      indeterminate={count > 0 && !all}
      onChange={() => onToggleAll?.(!all)}
      className="shrink-0 align-middle"
    />
  );
}
