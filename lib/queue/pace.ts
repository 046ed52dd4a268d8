const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The pace is measured over this many days. */
export const PACE_DAYS = 28;
/** The latest time of a `Date`, in the year 275760. */
const LAST_TIME = 8.64e15;

export interface HourRow {
  hour: Date;
  deliveries: number;
  approvals: number;
}

export interface Pace {
  deliveries_per_day: number;
  approvals_per_day: number;
  /** Whole days since the first delivery, 1 to `PACE_DAYS`. */
  days: number;
}

export interface Forecast {
  /** Days until the queue is empty without further approvals; null without deliveries. */
  days: number | null;
  runs_dry_at: Date | null;
  /** The same with approvals at the present pace. Null when the queue lasts for ever, and without deliveries. */
  with_approvals_days: number | null;
}

type Event = "deliveries" | "approvals";

/**
 * Deliveries and approvals a day: events since the first one, over at least one day and at most `PACE_DAYS`.
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

/** Start of a window of days, which ends with the present hour. */
function startOf(days: number, now: Date): number {
  return (Math.floor(now.getTime() / HOUR_MS) - (days * 24 - 1)) * HOUR_MS;
}

/** Hour of the first event, Infinity without one. */
function firstOf(rows: readonly HourRow[], event: Event): number {
  return Math.min(...rows.filter((row) => row[event] > 0).map((row) => row.hour.getTime()));
}

/**
 * When the queue is empty at this pace.
 *
 * @param supply pending posts that will be handed out in time
 */
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
