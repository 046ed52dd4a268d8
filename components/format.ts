/* Fixed, so that server and browser render the same text. British English has unambiguous dates. */
const LOCALE = "en-GB";

const counts = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
const tenths = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: "auto", style: "short" });
const plurals = new Intl.PluralRules(LOCALE);

/** 12345 → "12,345". null and undefined → "–". */
export function formatCount(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : counts.format(value);
}

/** 12345 → "12.3k" */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** 0–100 → "82.4 %". 0 % and 100 % only for exact values. */
export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const within = value > 0 && value < 100 ? Math.min(99.9, Math.max(0.1, value)) : value;
  return `${tenths.format(within)} %`;
}

/** `plural(3, "post", "posts")` → "3 posts" */
export function plural(count: number, one: string, other: string): string {
  return `${formatCount(count)} ${plurals.select(count) === "one" ? one : other}`;
}

/** 24105000000 → "24.1 GB" */
export function formatSize(bytes: number): string {
  return bytes < 1e9 ? `${tenths.format(bytes / 1e6)} MB` : `${tenths.format(bytes / 1e9)} GB`;
}

const DAY_MS = 86_400_000;
/** After this many days the date is shown. */
const MAX_DAYS_AWAY = 30;

/**
 * Milliseconds → "5 min ago", "in 2 hr", "just now". From 24 hours it counts calendar days of the time zone; after 30 days
 * it shows the date. Because clocks differ, `isAhead` decides between past and future.
 */
export function formatRelativeTime(time: number, now: number, timeZone: string, isAhead = false): string {
  const seconds = (isAhead ? Math.max(0, time - now) : Math.min(0, time - now)) / 1000;
  const sign = isAhead ? 1 : -1;
  const distance = Math.abs(seconds);
  if (distance < 45) return isAhead ? "in a moment" : "just now";
  if (distance < 2700) return relative.format(sign * Math.max(1, Math.round(distance / 60)), "minute");
  if (distance < 86_400) return relative.format(sign * Math.max(1, Math.round(distance / 3600)), "hour");
  const days = (midnight(time, timeZone) - midnight(now, timeZone)) / DAY_MS;
  if (Math.abs(days) > MAX_DAYS_AWAY) return formatDay(time, timeZone);
  // 24 hours later may be the same date: a day can have 25 hours.
  return relative.format(days || sign, "day");
}

/** Midnight UTC of the date in a zone. */
function midnight(time: number, timeZone: string): number {
  const [day = 1, month = 1, year = 1970] = formatIn(timeZone, time, {
    day: "2-digit",
    month: "2-digit",
    year: "numeric",
  })
    .split("/")
    .map(Number);
  return Date.UTC(year, month - 1, day);
}

/** Milliseconds → "Thu 12 Mar 2026, 14:03:05 CET". Unknown zones: UTC. */
export function formatExactTime(time: number, timeZone: string): string {
  return formatIn(timeZone, time, {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    timeZoneName: "short",
  });
}

/** Milliseconds → "14:03" */
function formatClock(time: number, timeZone: string): string {
  return formatIn(timeZone, time, { hour: "2-digit", minute: "2-digit" });
}

/** Milliseconds → "12 Mar 2026" */
export function formatDay(time: number, timeZone: string): string {
  return formatIn(timeZone, time, { day: "numeric", month: "short", year: "numeric" });
}

/** Milliseconds → "12 Mar 2026, 14:03" */
export function formatMoment(time: number, timeZone: string): string {
  return `${formatDay(time, timeZone)}, ${formatClock(time, timeZone)}`;
}

/** "2026-03-12" → "12 Mar". Invalid dates: unchanged. */
export function formatShortDate(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) return date;
  return new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", timeZone: "UTC" }).format(time);
}

/** Seconds → "45 s", "5 min", "2 hr 10 min", "3 days" */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.round(whole / 60)} min`;
  if (whole < 86_400) {
    const minutes = Math.round((whole % 3600) / 60);
    const hours = Math.floor(whole / 3600);
    return minutes === 0 ? `${hours} hr` : minutes === 60 ? `${hours + 1} hr` : `${hours} hr ${minutes} min`;
  }
  return plural(Math.round(whole / 86_400), "day", "days");
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string, time: number, options: Intl.DateTimeFormatOptions): string {
  const key = timeZone + JSON.stringify(options);
  const known = formats.get(key);
  const format = known ?? new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: knownZone(timeZone) });
  if (!known) formats.set(key, format);
  // Node and browsers use different space characters.
  return format.format(time).replace(/[\u00a0\u202f]/g, " ");
}

function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(LOCALE, { timeZone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
