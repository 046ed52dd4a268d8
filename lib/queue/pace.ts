const HOUR = 3_600_000;
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
}

export interface Forecast {
  /** Null without deliveries. */
  days: number | null;
  runs_dry_at: Date | null;
  /** With approvals as usual. Null: not within 90 days. */
  with_approvals_runs_dry_at: Date | null;
}

/** 0 is Monday, 00:00 UTC. 1970-01-01 was a Thursday. */
function hourOfWeek(hour: number): number {
  return (Math.floor(hour / HOUR) + 72) % HOURS_OF_WEEK;
}

/**
 * @param rows hours of the last `PACE_DAYS` days, without empty ones
 * @param isOlder there were deliveries before these hours
 */
export function paceOf(rows: readonly HourRow[], now: Date, isOlder: boolean): Pace {
  const end = now.getTime();
  const first = isOlder
    ? Math.floor(end / HOUR) * HOUR - (PACE_DAYS * 24 - 1) * HOUR
    : Math.min(...rows.filter((row) => row.deliveries > 0).map((row) => row.hour.getTime()));
  if (first === Infinity)
    return { deliveries: flat(0), approvals: flat(0), deliveries_per_day: 0, approvals_per_day: 0 };
  const since = rows.filter((row) => row.hour.getTime() >= first);
  // A day has busy and quiet hours, so less than a day says little.
  const hours = Math.max(24, (end - first) / HOUR);
  const perHour = (name: "deliveries" | "approvals") =>
    since.reduce((sum, row) => sum + row[name], 0) / hours;
  const perDay = {
    deliveries_per_day: perHour("deliveries") * 24,
    approvals_per_day: perHour("approvals") * 24,
  };
  if (hours < HOURS_OF_WEEK) {
    return { deliveries: flat(perHour("deliveries")), approvals: flat(perHour("approvals")), ...perDay };
  }
  const lengths = Array.from({ length: HOURS_OF_WEEK }, () => 0);
  for (let hour = first; hour < end; hour += HOUR) {
    const slot = hourOfWeek(hour);
    lengths[slot] = (lengths[slot] ?? 0) + Math.min(1, (end - hour) / HOUR);
  }
  const bySlot = (name: "deliveries" | "approvals") => {
    const sums = flat(0);
    for (const row of since) {
      const slot = hourOfWeek(row.hour.getTime());
      sums[slot] = (sums[slot] ?? 0) + row[name];
    }
    return sums.map((sum, slot) => sum / (lengths[slot] || 1));
  };
  return { deliveries: bySlot("deliveries"), approvals: bySlot("approvals"), ...perDay };
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
  const time = now.getTime() + hours * HOUR;
  return time > LAST_TIME ? null : new Date(time);
}

/** Null: not within `limit` hours. */
function hoursUntilDry(
  supply: number,
  takenInHour: (slot: number) => number,
  now: Date,
  limit: number,
): number | null {
  let left = supply;
  let passed = 0;
  while (passed < limit) {
    if (left <= 0) return passed;
    const time = now.getTime() + passed * HOUR;
    const part = 1 - (time % HOUR) / HOUR;
    const taken = takenInHour(hourOfWeek(time)) * part;
    // Sums of fractions are inexact.
    if (taken > 0 && taken >= left - 1e-9) return passed + Math.min(1, left / taken) * part;
    left -= taken;
    passed += part;
  }
  return null;
}
