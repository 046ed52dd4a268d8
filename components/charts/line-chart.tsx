"use client";
import dynamic from "next/dynamic";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { retryImport } from "#lib/client/retry-import.ts";
import { ChartFrame } from "./chart-frame.tsx";
import type { ChartProps } from "./series.ts";

// recharts is larger than the rest of a page.
const LinePlot = dynamic(() => retryImport(() => import("./line-plot.tsx")), {
  ssr: false,
  loading: () => <Skeleton className="h-full w-full" />,
});

export function LineChart(chart: ChartProps) {
  return (
    <ChartFrame {...chart} kind="line">
      <LinePlot {...chart} />
    </ChartFrame>
  );
}
