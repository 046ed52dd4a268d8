"use client";
import { formatExactTime, formatRelativeTime } from "#components/words/format.ts";
import { cn } from "./cn.ts";
import { useNow, useTimeZone } from "./clock-context.tsx";

export interface RelativeTimeProps {
  /** ISO 8601; null shows `fallback`. */
  at: string | null | undefined;
  /** For "never" and the like. A dash unless told otherwise. */
  fallback?: string;
  className?: string;
}

/** "5 min ago", with the exact time in the profile's zone on hover and for screen readers. */
export function RelativeTime({ at, fallback = "–", className }: RelativeTimeProps) {
  const now = useNow();
  const timeZone = useTimeZone();
  const time = at ? Date.parse(at) : Number.NaN;
  // A bad date must never take the page with it.
  if (!at || Number.isNaN(time)) return <span className={className}>{fallback}</span>;
  const exact = formatExactTime(time, timeZone);
  return (
    // A native title: a page of a hundred rows would carry a hundred tooltips otherwise.
    <time dateTime={at} title={exact} className={cn("whitespace-nowrap", className)} suppressHydrationWarning>
      {formatRelativeTime(time, now)}
      <span className="hidden-visually">, {exact}</span>
    </time>
  );
}

/** The exact time, in the profile's zone. */
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
