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
const inDays = (days: number) => new Date(now.getTime() + days * 24 * HOUR);

describe("paceOf", () => {
  it("divides one day's deliveries by one day", () => {
    expect(paceOf([hoursAgo(24, 10), hoursAgo(3, 20)], now, false).deliveries_per_day).toBe(30);
    expect(paceOf([hoursAgo(2, 30)], now, false).deliveries_per_day).toBe(30);
  });

  it("divides by the time since the first delivery, or by four weeks", () => {
    expect(paceOf([hoursAgo(96, 40)], now, false).deliveries_per_day).toBe(10);
    const late = new Date(now.getTime() + HOUR / 2);
    expect(paceOf([hoursAgo(96, 40)], late, true).deliveries_per_day).toBeCloseTo(40 / (28 - 0.5 / 24), 5);
  });

  it("ignores approvals before the first delivery", () => {
    const { approvals } = paceOf([hoursAgo(500, 0, 99), hoursAgo(48, 4, 6)], now, false);
    expect(approvals[0]).toBe(6 / 48);
  });

  it("averages the same hour of several weeks after a week", () => {
    const pace = paceOf([hoursAgo(336, 2), hoursAgo(168, 4), hoursAgo(167, 7)], now, false);
    expect(pace.deliveries.slice(0, 3)).toEqual([3, 3.5, 0]);
  });
});

describe("forecast", () => {
  const pace = (deliveries: number[], approvals: number[] = []) => ({
    deliveries: Array.from({ length: 168 }, (_, slot) => deliveries[slot] ?? 0),
    approvals: Array.from({ length: 168 }, (_, slot) => approvals[slot] ?? 0),
    deliveries_per_day: 0,
    approvals_per_day: 0,
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
