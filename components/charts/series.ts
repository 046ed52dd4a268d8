export type SeriesTone = "accent" | "approve" | "reject" | "warn" | "info" | "neutral";

export interface ChartSeries {
  key: string;
  label: string;
  tone: SeriesTone;
}

/** Axis value (`x`) and figures. Null is a gap. */
export type ChartRow = Record<string, string | number | null>;

export interface ChartProps {
  label: string;
  rows: readonly ChartRow[];
  x: string;
  /** `date`: YYYY-MM-DD, shown as "12 Mar". */
  xKind?: "date" | "text";
  /** Default "Date". */
  xLabel?: string;
  series: readonly ChartSeries[];
  hrefOf?: (row: ChartRow, key: string) => string;
  /** Figures that only the table has, such as the number that a share stands on. */
  columns?: readonly { key: string; label: string }[];
  /** Ends of the axis; six ticks. Default: whole numbers from 0. */
  range?: readonly [number, number];
  /** Pixels. Default 240. */
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

/** Darker than lines in the dark theme, to avoid glare. */
export const toneFill: Record<SeriesTone, string> = {
  accent: "var(--accent-fill)",
  approve: "var(--approve-fill)",
  reject: "var(--reject-fill)",
  warn: "var(--warn-fill)",
  info: "var(--info-fill)",
  neutral: "var(--muted)",
};

/** Lines differ by more than colour. */
export const dashes = ["", "7 4", "1 4", "10 4 1 4", "4 4", "14 5"] as const;

/** See pattern-defs.tsx. */
export const fills = ["solid", "diagonal", "dots", "outline", "cross", "rows"] as const;

export function figure(row: ChartRow, key: string): number | null {
  const value = row[key];
  return typeof value === "number" ? value : null;
}
