import { describe, expect, it } from "vitest";
import { estimatePerDay } from "./estimate-rate.ts";

const now = new Date("2026-05-04T12:00:00.000Z");
const hoursAgo = (hours: number, kept = true) => ({
  created_at: new Date(now.getTime() - hours * 3_600_000).toISOString(),
  kept,
});

describe("the estimate of posts a day", () => {
  it("is the number of posts by the age of the oldest", () => {
    expect(
      estimatePerDay(
        [1, 2, 3, 12].map((hours) => hoursAgo(hours)),
        now,
      ),
    ).toEqual({ read: 8, kept: 8 });
  });

  it("counts posts that would be kept apart", () => {
    expect(estimatePerDay([hoursAgo(1), hoursAgo(6, false), hoursAgo(24)], now)).toEqual({
      read: 3,
      kept: 2,
    });
  });

  it("is not moved by single old posts in a long list", () => {
    const posts = [
      ...Array.from({ length: 37 }, (_, n) => hoursAgo((n + 1) / 37)),
      hoursAgo(9_000),
      hoursAgo(5_000),
    ];
    const rate = estimatePerDay(posts, now)?.read ?? 0;
    expect(rate).toBeGreaterThan(800);
    expect(rate).toBeLessThan(900);
  });

  it("of a rare hashtag is below one", () => {
    expect(estimatePerDay([hoursAgo(24 * 20), hoursAgo(24 * 40)], now)).toEqual({ read: 0.1, kept: 0.1 });
  });

  it("is null without posts, and finite for a post of this second", () => {
    expect(estimatePerDay([], now)).toBeNull();
    expect(estimatePerDay([hoursAgo(0)], now)).toEqual({ read: 1440, kept: 1440 });
  });
});
