"use client";
import { formatClock, formatExactTime, formatMoment, formatRelativeTime } from "#components/format.ts";
import { cn } from "./cn.ts";
import { useNow, useTimeZone } from "./clock-context.tsx";

export interface RelativeTimeProps {
  at: string | null | undefined;
  /** Default: a dash. */
  fallback?: string;
  className?: string;
}

/**
 * The exact time is the title, and the text for screen readers.
 *
 * @param isAhead the event is still to come
 */
export function RelativeTime({
  at,
  isAhead,
  fallback = "–",
  className,
}: RelativeTimeProps & { isAhead?: boolean }) {
  const now = useNow();
  const timeZone = useTimeZone();
  const time = at ? Date.parse(at) : Number.NaN;
  // An invalid date must not break the page.
  if (!at || Number.isNaN(time)) return <span className={className}>{fallback}</span>;
  const exact = formatExactTime(time, timeZone);
  return (
    // Native, because a page may have a hundred times.
    <time dateTime={at} title={exact} className={cn("whitespace-nowrap", className)} suppressHydrationWarning>
      {formatRelativeTime(time, now, timeZone, isAhead)}
      <span className="hidden-visually">, {exact}</span>
    </time>
  );
}

/** Date and time of an expiry. */
export function Expiry({ at, fallback = "–", className }: RelativeTimeProps) {
  const timeZone = useTimeZone();
  const time = at ? Date.parse(at) : Number.NaN;
  if (!at || Number.isNaN(time)) return <span className={className}>{fallback}</span>;
  return (
    <time
      dateTime={at}
      title={formatExactTime(time, timeZone)}
      className={className}
      suppressHydrationWarning
    >
      {formatMoment(time, timeZone)}
    </time>
  );
}

export function ExactTime({ at, fallback = "–", className }: RelativeTimeProps) {
  const timeZone = useTimeZone();
  const time = at ? Date.parse(at) : Number.NaN;
  if (!at || Number.isNaN(time)) return <span className={className}>{fallback}</span>;
  return (
    <time dateTime={at} className={className} suppressHydrationWarning>
      {formatExactTime(time, timeZone)}
    </time>
  );
}

/** "14:03", for a time within a day. */
export function ClockTime({ at }: { at: string }) {
  const timeZone = useTimeZone();
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={formatExactTime(time, timeZone)} suppressHydrationWarning>
      {formatClock(time, timeZone)}
    </time>
  );
}
