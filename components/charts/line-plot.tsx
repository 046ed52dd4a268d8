"use client";
import { useRouter } from "next/navigation";
import { CartesianGrid, LineChart, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { ChartTip, gridProps, xAxisProps, yAxisProps } from "./axis.tsx";
import { dashes, toneColor, type ChartProps, type ChartRow } from "./series.ts";

export default function LinePlot({ rows, x, xKind, series, range, hrefOf }: ChartProps) {
  const router = useRouter();
  const opens = (key: string) => (dot: unknown) => {
    const { payload } = dot as { payload?: ChartRow };
    if (hrefOf && payload) router.push(hrefOf(payload, key));
  };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart
        data={[...rows]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid {...gridProps} />
        <XAxis {...xAxisProps({ x, xKind }, "line")} />
        <YAxis {...yAxisProps({ range })} />
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
            // Few values: one between two gaps has no line.
            dot: xKind === "text" ? { r: 2.5, fill: color, strokeWidth: 0 } : false,
            activeDot: {
              r: hrefOf ? 5 : 3.5,
              fill: color,
              stroke: "var(--surface)",
              strokeWidth: 2,
              ...(hrefOf ? { cursor: "pointer", onClick: opens(entry.key) } : {}),
            },
            isAnimationActive: false,
            connectNulls: false,
          };
          return <Line key={entry.key} {...common} />;
        })}
      </LineChart>
    </ResponsiveContainer>
  );
}
