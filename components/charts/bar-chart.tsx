"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { retryImport } from "#lib/client/retry-import.ts";
import { ChartFrame } from "./chart-frame.tsx";
import type { ChartProps } from "./series.ts";

const BarPlot = dynamic(() => retryImport(() => import("./bar-plot.tsx")), {
  ssr: false,
  loading: () => <Skeleton className="h-full w-full" />,
});

export interface BarChartProps extends ChartProps {
  stacked?: boolean;
}

export function BarChart({ stacked = false, ...chart }: BarChartProps) {
  return (
    // A part of a whole has a name even when it is the only one.
    <ChartFrame {...chart} kind="bar" hasLegend={stacked || chart.series.length > 1}>
      <BarPlot {...chart} stacked={stacked} />
    </ChartFrame>
  );
}
