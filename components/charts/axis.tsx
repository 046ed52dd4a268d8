"use client";
import { formatCompact, formatCount, formatShortDate } from "#components/format.ts";
import { toneColor, type ChartProps, type ChartSeries } from "./series.ts";

export const gridProps = { vertical: false, stroke: "var(--line)" } as const;

/** Bars of texts are labelled at equal distances; days and lines up to the last one. */
export function xAxisProps({ x, xKind = "date" }: Pick<ChartProps, "x" | "xKind">, kind: "line" | "bar") {
  return {
    dataKey: x,
    tickLine: false,
    axisLine: { stroke: "var(--line)" },
    tick: { fill: "var(--muted)", fontSize: 12 },
    tickMargin: 6,
    minTickGap: xKind === "date" ? 32 : 8,
    interval:
      xKind === "date"
        ? ("preserveEnd" as const)
        : kind === "bar"
          ? ("equidistantPreserveStart" as const)
          : ("preserveStartEnd" as const),
    tickFormatter: (value: string | number) =>
      xKind === "date" ? formatShortDate(String(value)) : String(value),
  };
}

export function yAxisProps({ range }: Pick<ChartProps, "range">) {
  const [from, to] = range ?? [];
  return {
    width: 40,
    tickLine: false,
    axisLine: false,
    tick: { fill: "var(--muted)", fontSize: 12 },
    tickFormatter: formatCompact,
    ...(from === undefined || to === undefined
      ? { allowDecimals: false }
      : {
          domain: [from, to] as [number, number],
          ticks: Array.from({ length: 6 }, (_, i) => from + ((to - from) * i) / 5),
        }),
  };
}

interface TipProps {
  active?: boolean;
  label?: string | number;
  payload?: readonly { dataKey?: unknown; value?: unknown }[];
}

export function ChartTip({
  active,
  label,
  payload,
  series,
  xKind = "date",
}: TipProps & { series: readonly ChartSeries[]; xKind?: "date" | "text" }) {
  if (!active || !payload?.length) return null;
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-12 shadow-hairline">
      <p className="mb-1 font-medium">{xKind === "date" ? formatShortDate(String(label)) : label}</p>
      {series.map((entry) => {
        const value = payload.find((item) => item.dataKey === entry.key)?.value;
        return (
          <p key={entry.key} className="flex items-center gap-2">
            <span
              className="h-2.5 w-0.5 rounded-full forced-color-adjust-none"
              style={{ background: toneColor[entry.tone] }}
            />
            <span className="flex-1 text-muted">{entry.label}</span>
            <span className="tabular ps-3">{formatCount(typeof value === "number" ? value : null)}</span>
          </p>
        );
      })}
    </div>
  );
}
