"use client";
import { useRouter } from "next/navigation";
import { useId } from "react";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { ChartTip, gridProps, xAxisProps, yAxisProps } from "./axis.tsx";
import { fillOf, PatternDefs } from "./pattern-defs.tsx";
import { toneFill, type ChartProps, type ChartRow } from "./series.ts";

export default function BarPlot({
  rows,
  x,
  xKind,
  series,
  range,
  hrefOf,
  stacked = false,
}: ChartProps & { stacked?: boolean }) {
  const router = useRouter();
  const prefix = useId().replace(/[^\w-]/g, "");
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...rows]}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        barCategoryGap="22%"
        maxBarSize={28}
        accessibilityLayer={false}
      >
        {PatternDefs({ prefix, series })}
        <CartesianGrid {...gridProps} />
        <XAxis {...xAxisProps({ x, xKind }, "bar")} />
        <YAxis {...yAxisProps({ range })} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: "var(--wash)" }}
          content={({ active, label, payload }) => (
            <ChartTip active={active} label={label} payload={payload} series={series} xKind={xKind} />
          )}
        />
        {series.map((entry, index) => (
          <Bar
            key={entry.key}
            dataKey={entry.key}
            name={entry.label}
            fill={fillOf(prefix, entry, index)}
            stroke={toneFill[entry.tone]}
            strokeWidth={1}
            isAnimationActive={false}
            {...(hrefOf
              ? {
                  cursor: "pointer",
                  onClick: ({ payload }: { payload?: ChartRow }) =>
                    payload && router.push(hrefOf(payload, entry.key)),
                }
              : {})}
            {...(stacked ? { stackId: "all" } : { radius: [2, 2, 0, 0] as [number, number, number, number] })}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
