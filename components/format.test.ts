import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatCompact,
  formatCount,
  formatExactTime,
  formatPercent,
  formatRelativeTime,
  formatSize,
} from "./format.ts";

const noon = Date.parse("2026-03-12T12:00:00Z");

describe("figures", () => {
  it("are grouped, shortened, and shown as a dash while loading", () => {
    expect(formatCount(1_234_567)).toBe("1,234,567");
    expect(formatCount(0)).toBe("0");
    expect(formatCount(null)).toBe("–");
    expect(formatCompact(12_345)).toBe("12.3k");
    expect([24_105_000_000, 1_250_000].map(formatSize)).toEqual(["24.1 GB", "1.3 MB"]);
    expect(formatPercent(62.44)).toBe("62.4 %");
    expect(formatPercent(null)).toBe("–");
  });
  it("show one decimal where needed, and 0 % and 100 % only for exact values", () => {
    expect([0, 75, 100, 39.96, 62.04].map(formatPercent)).toEqual(["0 %", "75 %", "100 %", "40 %", "62 %"]);
    expect([0.0004, 0.06, 99.94, 99.9999].map(formatPercent)).toEqual(["0.1 %", "0.1 %", "99.9 %", "99.9 %"]);
  });
});

describe("formatRelativeTime", () => {
  const away = (seconds: number, zone = "UTC", isAhead = seconds > 0) =>
    formatRelativeTime(noon + seconds * 1000, noon, zone, isAhead);

  it.each([
    [0, "just now"],
    [-44, "just now"],
    [30, "in a moment"],
    [-60, "1 min ago"],
    [-59 * 60, "1 hr ago"],
    [-5 * 3600, "5 hr ago"],
    [-23 * 3600, "23 hr ago"],
    [-86_400, "yesterday"],
    [-35 * 3600, "yesterday"],
    [-37 * 3600, "2 days ago"],
    [-7 * 86_400, "7 days ago"],
    [-400 * 86_400, "5 Feb 2025"],
    [2 * 3600, "in 2 hr"],
    [86_400, "tomorrow"],
    [7 * 86_400, "in 7 days"],
    [31 * 86_400, "12 Apr 2026"],
  ])("%s s → %s", (seconds, expected) => {
    expect(away(seconds)).toBe(expected);
  });

  it("never shows a past time as a future one, nor the reverse", () => {
    expect(away(14, "UTC", false)).toBe("just now");
    expect(away(7200, "UTC", false)).toBe("just now");
    expect(away(-7200, "UTC", true)).toBe("in a moment");
  });

  it("has a text for every distance", () => {
    fc.assert(
      fc.property(fc.integer({ min: -4e9, max: 4e9 }), fc.boolean(), (seconds, isAhead) => {
        const text = away(seconds, "Europe/Berlin", isAhead);
        expect(text).not.toMatch(/NaN|undefined|^0|in 0/);
        expect(text).not.toMatch(isAhead ? /ago|yesterday/ : /^in |tomorrow/);
      }),
    );
  });
});

describe("times in a zone", () => {
  it("fall back to UTC for an unknown zone", () => {
    expect(formatExactTime(noon, "Moon/Crater")).toContain("12:00:00 UTC");
  });
});
