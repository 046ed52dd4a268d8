import fc from "fast-check";
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
const inDays = (days: number) => new Date(now.getTime() + days * 24 * HOUR);

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

  it("averages the same hour of several weeks after a week", () => {
    const pace = paceSince([hoursAgo(336, 2), hoursAgo(168, 4), hoursAgo(167, 7)]);
    expect(pace.deliveries.slice(0, 3)).toEqual([3, 3.5, 0]);
  });
});

describe("forecast", () => {
  const pace = (deliveries: number[], approvals: number[] = []) => ({
    deliveries: Array.from({ length: 168 }, (_, slot) => deliveries[slot] ?? 0),
    approvals: Array.from({ length: 168 }, (_, slot) => approvals[slot] ?? 0),
    deliveries_per_day: 0,
    approvals_per_day: 0,
    days: 28,
  });
  const steady = (perHour: number) => Array.from({ length: 168 }, () => perHour);

  it("is null without deliveries", () => {
    expect(forecast(5, pace([]), now)).toEqual({
      days: null,
      runs_dry_at: null,
      with_approvals_runs_dry_at: null,
    });
  });

  it("is now for an empty queue", () => {
    expect(forecast(0, pace(steady(1)), now)).toMatchObject({ days: 0, runs_dry_at: now });
  });

  it("follows the hours of the week", () => {
    // Two posts each Monday between 10 and 11.
    const mondays = pace([...Array.from({ length: 10 }, () => 0), 2]);
    expect(forecast(1, mondays, now).runs_dry_at).toEqual(new Date("2026-05-04T10:30:00Z"));
    expect(forecast(4, mondays, now).runs_dry_at).toEqual(new Date("2026-05-11T11:00:00Z"));
    expect(forecast(3, mondays, now).runs_dry_at).toEqual(new Date("2026-05-11T10:30:00Z"));
  });

  it("counts the present hour in part", () => {
    const half = new Date(now.getTime() + HOUR / 2);
    expect(forecast(1, pace([1, 1]), half).runs_dry_at).toEqual(new Date("2026-05-04T01:30:00Z"));
  });

  it("lasts longer with approvals, and for ever when they keep up", () => {
    const some = forecast(24, pace(steady(1), steady(0.5)), now);
    expect(some).toMatchObject({ runs_dry_at: inDays(1), with_approvals_runs_dry_at: inDays(2) });
    expect(forecast(24, pace(steady(1), steady(1)), now).with_approvals_runs_dry_at).toBeNull();
  });

  it("names no day beyond the calendar", () => {
    expect(forecast(1e12, pace([1]), now)).toMatchObject({ runs_dry_at: null });
  });

  it("ends when the deliveries up to then equal the supply", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 168, maxLength: 168 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        (slots, supply, offset) => {
          fc.pre(slots.some((n) => n > 0));
          const start = new Date(now.getTime() + offset);
          const end = forecast(supply, pace(slots), start).runs_dry_at?.getTime() ?? 0;
          let taken = 0;
          for (let time = start.getTime(); time < end;) {
            const next = Math.min(end, (Math.floor(time / HOUR) + 1) * HOUR);
            const slot = Math.floor((time - now.getTime()) / HOUR) % 168;
            taken += ((slots[slot] ?? 0) * (next - time)) / HOUR;
            time = next;
          }
          expect(taken).toBeCloseTo(supply, 2);
        },
      ),
      { numRuns: 60 },
    );
  });
});
