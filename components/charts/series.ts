export type SeriesTone = "accent" | "approve" | "reject" | "warn" | "info" | "neutral";

/** One line or one set of bars. */
export interface ChartSeries {
  /** The field of a row that holds its figure. */
  key: string;
  label: string;
  tone: SeriesTone;
}

/** A row: its place on the axis (`x`) and a figure for each series; null is a gap. */
export type ChartRow = Record<string, string | number | null>;

export interface ChartProps {
  /** Names the chart: "Posts by day". */
  label: string;
  rows: readonly ChartRow[];
  /** The field that stands on the axis. */
  x: string;
  /** `date`: YYYY-MM-DD, written as "12 Mar". */
  xKind?: "date" | "text";
  /** What the axis is called in the table. "Date" unless told otherwise. */
  xLabel?: string;
  series: readonly ChartSeries[];
  /** Opens the list behind a figure: from its cell in the table, and from its bar or point. */
  hrefOf?: (row: ChartRow, key: string) => string;
  /** Plot height in px. Default 240. */
  height?: number;
  className?: string;
}

export const toneColor: Record<SeriesTone, string> = {
  accent: "var(--accent)",
  approve: "var(--approve)",
  reject: "var(--reject)",
  warn: "var(--warn)",
  info: "var(--info)",
  neutral: "var(--muted)",
};

/** The ground of bars: deeper than the lines in the dark, where a large bright area would glare. */
export const toneFill: Record<SeriesTone, string> = {
  accent: "var(--accent-fill)",
  approve: "var(--approve-fill)",
  reject: "var(--reject-fill)",
  warn: "var(--warn-fill)",
  info: "var(--info-fill)",
  neutral: "var(--muted)",
};

/** Line patterns by the series' place, so that no line is told apart by its colour alone. */
export const dashes = ["", "7 4", "1 4", "10 4 1 4", "4 4", "14 5"] as const;

/** Fills of bars by the series' place; see pattern-defs.tsx. */
export const fills = ["solid", "diagonal", "dots", "outline", "cross", "rows"] as const;

/** The figure of a row, or null where it has none. */
export function figure(row: ChartRow, key: string): number | null {
  const value = row[key];
  return typeof value === "number" ? value : null;
}
