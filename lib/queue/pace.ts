const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The pace is measured over this many days. */
export const PACE_DAYS = 28;
/** ECMAScript times end in the year 275760. */
const LAST_TIME = 8.64e15;

export interface HourRow {
  hour: Date;
  deliveries: number;
  approvals: number;
}

export interface Pace {
  deliveries_per_day: number;
  approvals_per_day: number;
  /** Whole days with deliveries, 1 to `PACE_DAYS`. */
  days: number;
}

export interface Forecast {
  /** Null without deliveries. */
  days: number | null;
  runs_dry_at: Date | null;
  /** With as many approvals as now. Null when the queue lasts, and without deliveries. */
  with_approvals_days: number | null;
}

type Event = "deliveries" | "approvals";

/**
 * The one definition of the pace: events since the first one, of at least a day and at most `PACE_DAYS`.
 *
 * @param rows hours of the last `PACE_DAYS` days, without empty ones
 * @param isOlder whether the event also happened before these hours
 */
export function paceOf(rows: readonly HourRow[], now: Date, isOlder: Record<Event, boolean>): Pace {
  const deliveries = rateOf(rows, "deliveries", now, isOlder.deliveries);
  return {
    deliveries_per_day: deliveries.perDay,
    approvals_per_day: rateOf(rows, "approvals", now, isOlder.approvals).perDay,
    days: deliveries.days,
  };
}

function rateOf(rows: readonly HourRow[], event: Event, now: Date, isOlder: boolean) {
  const first = isOlder ? startOf(PACE_DAYS, now) : firstOf(rows, event);
  if (first === Infinity) return { perDay: 0, days: 1 };
  const days = Math.max(1, (now.getTime() - first) / DAY_MS);
  const sum = rows.reduce((all, row) => all + row[event], 0);
  return { perDay: sum / days, days: isOlder ? PACE_DAYS : Math.floor(days) };
}

/** Start of a window of days: the present hour and the whole hours before it. */
function startOf(days: number, now: Date): number {
  return (Math.floor(now.getTime() / HOUR_MS) - (days * 24 - 1)) * HOUR_MS;
}

/** Hour of the first event, Infinity without one. */
function firstOf(rows: readonly HourRow[], event: Event): number {
  return Math.min(...rows.filter((row) => row[event] > 0).map((row) => row.hour.getTime()));
}

/** @param supply posts that will be handed out in time */
export function forecast(supply: number, pace: Pace, now: Date): Forecast {
  const { deliveries_per_day: taken, approvals_per_day: added } = pace;
  if (taken === 0) return { days: null, runs_dry_at: null, with_approvals_days: null };
  const days = supply / taken;
  const end = now.getTime() + days * DAY_MS;
  return {
    days: rounded(days),
    runs_dry_at: end > LAST_TIME ? null : new Date(end),
    with_approvals_days: added >= taken ? null : rounded(supply / (taken - added)),
  };
}

const rounded = (days: number) => Math.round(days * 10) / 10;
