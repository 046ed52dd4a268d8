import { cn } from "#components/ui/cn.ts";
import { toneColor, type SeriesTone } from "./series.ts";

export interface SparklineProps {
  label: string;
  values: readonly number[];
  tone?: SeriesTone;
  className?: string;
}

/** Drawn without the chart library. */
export function Sparkline({ label, values, tone = "accent", className }: SparklineProps) {
  const max = Math.max(1, ...values);
  const step = values.length > 1 ? 100 / (values.length - 1) : 0;
  const points = values.map(
    (value, index) => `${(index * step).toFixed(2)},${(23 - (value / max) * 22).toFixed(2)}`,
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox="0 0 100 24"
      preserveAspectRatio="none"
      className={cn("h-6 w-25", className)}
    >
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke={toneColor[tone]}
        strokeWidth="1.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
