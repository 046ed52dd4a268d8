import { cn } from "./cn.ts";

export interface ProgressBarProps {
  label: string;
  /** 0 … max; null when nobody knows how far it is. */
  value: number | null;
  max?: number;
  tone?: "accent" | "approve" | "reject" | "warn";
  className?: string;
}

const tones = { accent: "bg-accent", approve: "bg-approve", reject: "bg-reject", warn: "bg-warn" };

/** How far something is, or how large a part is. Write the figure beside it. */
export function ProgressBar({ label, value, max = 100, tone = "accent", className }: ProgressBarProps) {
  const part = value === null || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value ?? undefined}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-wash", className)}
    >
      <div
        className={cn(
          "h-full rounded-full transition-[width]",
          tones[tone],
          value === null && "w-1/3 animate-pulse",
        )}
        style={value === null ? undefined : { width: `${part * 100}%` }}
      />
    </div>
  );
}
