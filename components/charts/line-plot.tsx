"use client";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { ChartTip, gridProps, xAxisProps, yAxisProps } from "./axis.tsx";
import { dashes, toneColor, type ChartProps } from "./series.ts";

/** The drawing of a LineChart; loaded when one is shown. */
export default function LinePlot({ rows, x, xKind, series, area = false }: ChartProps & { area?: boolean }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={[...rows]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid {...gridProps} />
        <XAxis {...xAxisProps({ x, xKind })} />
        <YAxis {...yAxisProps} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--line-strong)" }}
          content={({ active, label, payload }) => (
            <ChartTip active={active} label={label} payload={payload} series={series} xKind={xKind} />
          )}
        />
        {series.map((entry, index) => {
          const color = toneColor[entry.tone];
          const common = {
            dataKey: entry.key,
            name: entry.label,
            type: "linear" as const,
            stroke: color,
            strokeWidth: 2,
            strokeDasharray: dashes[index % dashes.length],
            strokeLinecap: "round" as const,
            dot: false,
            activeDot: { r: 3.5, fill: color, stroke: "var(--surface)", strokeWidth: 2 },
            isAnimationActive: false,
            connectNulls: false,
          };
          return area && index === 0 ? (
            <Area key={entry.key} {...common} fill={color} fillOpacity={0.1} />
          ) : (
            <Line key={entry.key} {...common} />
          );
        })}
      </ComposedChart>
    </ResponsiveContainer>
  );
}
