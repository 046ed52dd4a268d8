const HOUR_MS = 3_600_000;
const HOURS_OF_WEEK = 168;
/** The pace is measured over this many days. */
export const PACE_DAYS = 28;
/** Further approvals are guesswork; no forecast beyond this. */
const APPROVALS_DAYS = 90;
/** ECMAScript times end in the year 275760. */
const LAST_TIME = 8.64e15;

export interface HourRow {
  hour: Date;
  deliveries: number;
  approvals: number;
}

export interface Pace {
  /** Posts an hour, by hour of the week in UTC; the first is that of Monday, 00:00. */
  deliveries: readonly number[];
  approvals: readonly number[];
  deliveries_per_day: number;
  approvals_per_day: number;
  /** Whole days with deliveries, 1 to `PACE_DAYS`. */
  days: number;
}

export interface Forecast {
  /** Null without deliveries. */
  days: number | null;
  runs_dry_at: Date | null;
  /** With approvals as usual. Null if not within 90 days. */
  with_approvals_runs_dry_at: Date | null;
}

/** 0 is Monday, 00:00 UTC. 1970-01-01 was a Thursday. */
function hourOfWeek(hour: number): number {
  return (Math.floor(hour / HOUR_MS) + 72) % HOURS_OF_WEEK;
}

type Event = "deliveries" | "approvals";

/**
 * @param rows hours of the last `PACE_DAYS` days, without empty ones
 * @param isOlder whether the event also happened before these hours
 */
export function paceOf(rows: readonly HourRow[], now: Date, isOlder: Record<Event, boolean>): Pace {
  const [deliveries, approvals] = (["deliveries", "approvals"] as const).map((event) =>
    rateOf(rows, event, now, isOlder[event]),
  ) as [Rate, Rate];
  return {
    deliveries: deliveries.byHour,
    approvals: approvals.byHour,
    deliveries_per_day: deliveries.perDay,
    approvals_per_day: approvals.perDay,
    days: deliveries.days,
  };
}

interface Rate {
  byHour: number[];
  perDay: number;
  days: number;
}

/** Since the first event, of at least a day: it has busy and quiet hours, so less says little. */
function rateOf(rows: readonly HourRow[], event: Event, now: Date, isOlder: boolean): Rate {
  const end = now.getTime();
  const first = isOlder ? startOf(PACE_DAYS, now) : firstOf(rows, event);
  if (first === Infinity) return { byHour: flat(0), perDay: 0, days: 1 };
  const hours = Math.max(24, (end - first) / HOUR_MS);
  const perHour = rows.reduce((sum, row) => sum + row[event], 0) / hours;
  const rate = { perDay: perHour * 24, days: isOlder ? PACE_DAYS : Math.floor(hours / 24) };
  if (hours < HOURS_OF_WEEK) return { byHour: flat(perHour), ...rate };
  const [sums, lengths] = [flat(0), flat(0)];
  for (const row of rows) {
    const slot = hourOfWeek(row.hour.getTime());
    sums[slot] = (sums[slot] ?? 0) + row[event];
  }
  for (let hour = first; hour < end; hour += HOUR_MS) {
    const slot = hourOfWeek(hour);
    lengths[slot] = (lengths[slot] ?? 0) + Math.min(1, (end - hour) / HOUR_MS);
  }
  return { byHour: sums.map((sum, slot) => sum / (lengths[slot] || 1)), ...rate };
}

/** Start of a window of days: the present hour and the whole hours before it. */
function startOf(days: number, now: Date): number {
  return (Math.floor(now.getTime() / HOUR_MS) - (days * 24 - 1)) * HOUR_MS;
}

/** Hour of the first event, Infinity without one. */
function firstOf(rows: readonly HourRow[], event: Event): number {
  return Math.min(...rows.filter((row) => row[event] > 0).map((row) => row.hour.getTime()));
}

const flat = (value: number): number[] => Array.from({ length: HOURS_OF_WEEK }, () => value);

/** @param supply posts that will be handed out in time */
export function forecast(supply: number, pace: Pace, now: Date): Forecast {
  const perWeek = pace.deliveries.reduce((sum, n) => sum + n, 0);
  if (perWeek === 0) return { days: null, runs_dry_at: null, with_approvals_runs_dry_at: null };
  // The last delivery may be long before the end of its week.
  const weeks = Math.max(0, Math.ceil(supply / perWeek) - 1);
  const rest = supply - weeks * perWeek;
  const hours =
    weeks * HOURS_OF_WEEK +
    (hoursUntilDry(rest, (slot) => pace.deliveries[slot] ?? 0, now, HOURS_OF_WEEK) ?? HOURS_OF_WEEK);
  const net = (slot: number) => (pace.deliveries[slot] ?? 0) - (pace.approvals[slot] ?? 0);
  const withApprovals = hoursUntilDry(supply, net, now, APPROVALS_DAYS * 24);
  return {
    days: Math.round((hours / 24) * 10) / 10,
    runs_dry_at: after(now, hours),
    with_approvals_runs_dry_at: withApprovals === null ? null : after(now, withApprovals),
  };
}

function after(now: Date, hours: number): Date | null {
  const time = now.getTime() + hours * HOUR_MS;
  return time > LAST_TIME ? null : new Date(time);
}

/** Null if not within `limit` hours. */
function hoursUntilDry(
  supply: number,
  takenInHour: (slot: number) => number,
  now: Date,
  limit: number,
): number | null {
  let remaining = supply;
  let passed = 0;
  while (passed < limit) {
    if (remaining <= 0) return passed;
    const time = now.getTime() + passed * HOUR_MS;
    const part = 1 - (time % HOUR_MS) / HOUR_MS;
    const taken = takenInHour(hourOfWeek(time)) * part;
    // Sums of fractions are inexact.
    if (taken > 0 && taken >= remaining - 1e-9) return passed + Math.min(1, remaining / taken) * part;
    remaining -= taken;
    passed += part;
  }
  return null;
}
