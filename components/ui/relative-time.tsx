"use client";
import { formatExactTime, formatMoment, formatRelativeTime } from "#components/format.ts";
import { cn } from "./cn.ts";
import { useNow, useTimeZone } from "./clock-context.tsx";

export interface TimeProps {
  at: string | null | undefined;
  /** Shown for a missing or invalid time. Default: a dash. */
  fallback?: string;
  className?: string;
}

/** A time, with the exact time as a native tooltip, because a page may have a hundred of them. */
function Time({
  at,
  fallback = "–",
  className,
  format,
  isVague = false,
}: TimeProps & { format: (time: number, timeZone: string) => string; isVague?: boolean }) {
  const timeZone = useTimeZone();
  const time = at ? Date.parse(at) : Number.NaN;
  if (!at || Number.isNaN(time)) return <span className={className}>{fallback}</span>;
  const exact = formatExactTime(time, timeZone);
  const shown = format(time, timeZone);
  return (
    <time dateTime={at} title={exact} className={className} suppressHydrationWarning>
      {shown}
      {isVague ? <span className="hidden-visually">, {exact}</span> : null}
    </time>
  );
}

/** "5 min ago". @param isAhead the event is still to come */
export function RelativeTime({ isAhead, className, ...props }: TimeProps & { isAhead?: boolean }) {
  const now = useNow();
  return (
    <Time
      {...props}
      isVague
      className={cn("whitespace-nowrap", className)}
      format={(time, timeZone) => formatRelativeTime(time, now, timeZone, isAhead)}
    />
  );
}

/** Date and time of an expiry. */
export function Expiry(props: TimeProps) {
  return <Time {...props} format={formatMoment} />;
}

export function ExactTime(props: TimeProps) {
  return <Time {...props} format={formatExactTime} />;
}
