import type { ReactNode } from "react";
import type { FigureName } from "#lib/base/figures-schema.ts";

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
  /** Hidden between 720 and 1024 px. */
  wideOnly?: boolean;
  wrap?: boolean;
  /** Shows its definition beside the header; below 720 px under the table. */
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
