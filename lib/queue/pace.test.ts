import { describe, expect, it } from "vitest";
import { forecast, paceOf, type HourRow } from "./pace.ts";

const HOUR = 3_600_000;
/** A Monday. */
const now = new Date("2026-05-04T00:00:00Z");
const hoursAgo = (hours: number, deliveries: number, approvals = 0): HourRow => ({
  hour: new Date(now.getTime() - hours * HOUR),
  deliveries,
  approvals,
});
const paceSince = (rows: HourRow[], time = now, isOlder = false) =>
  paceOf(rows, time, { deliveries: isOlder, approvals: isOlder });

describe("paceOf", () => {
  it("divides one day's deliveries by one day", () => {
    const pace = paceSince([hoursAgo(24, 10), hoursAgo(3, 20)]);
    expect(pace).toMatchObject({ deliveries_per_day: 30, days: 1 });
    expect(paceSince([hoursAgo(2, 30)])).toMatchObject({ deliveries_per_day: 30, days: 1 });
  });

  it("divides by the time since the first delivery, or by four weeks", () => {
    expect(paceSince([hoursAgo(96, 40)])).toMatchObject({ deliveries_per_day: 10, days: 4 });
    const late = paceSince([hoursAgo(96, 40)], new Date(now.getTime() + HOUR / 2), true);
    expect(late.deliveries_per_day).toBeCloseTo(40 / (28 - 0.5 / 24), 5);
    expect(late.days).toBe(28);
  });

  it("divides approvals by the time since the first approval", () => {
    const early = paceSince([hoursAgo(96, 0, 6), hoursAgo(48, 4, 6)]);
    expect(early).toMatchObject({ deliveries_per_day: 2, approvals_per_day: 3 });
    // Approvals of the day before the first delivery count.
    const first = paceSince([hoursAgo(10, 0, 15), hoursAgo(2, 6, 31)]);
    expect(first).toMatchObject({ deliveries_per_day: 6, approvals_per_day: 46 });
    expect(paceSince([hoursAgo(10, 0, 15)])).toMatchObject({ deliveries_per_day: 0, approvals_per_day: 15 });
  });
});

describe("forecast", () => {
  const pace = (deliveries: number, approvals = 0) => ({
    deliveries_per_day: deliveries,
    approvals_per_day: approvals,
    days: 28,
  });

  it("lasts longer with approvals, and for ever when they keep up", () => {
    expect(forecast(24, pace(24, 12), now)).toMatchObject({ days: 1, with_approvals_days: 2 });
    expect(forecast(24, pace(24, 24), now).with_approvals_days).toBeNull();
  });
});
