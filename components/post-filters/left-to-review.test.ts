import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { LeftToReview } from "./left-to-review.tsx";

const NOW = Date.parse("2026-03-01T14:30:00Z");
vi.mock("#components/ui/clock-context.tsx", () => ({ useNow: () => NOW }));
vi.mock("#components/ui/relative-time.tsx", () => ({ ClockTime: ({ at }: { at: string }) => at }));

const textFor = (count: number | null, leasedToOthers: number, own: number, minutes: number | null) => {
  const until = minutes === null ? null : new Date(NOW + minutes * 60_000).toISOString();
  const props = { count, isMore: false, leasedToOthers, own: { count: own, until } };
  return renderToStaticMarkup(createElement(LeftToReview, props))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'");
};

describe("LeftToReview", () => {
  it("says nothing of leases that go on", () => {
    expect(textFor(100, 0, 20, 8)).toBe("100 left");
    expect(textFor(100, 20, 20, 8)).toBe("100 left");
    expect(textFor(null, 0, 0, null)).toBe("Counting");
  });

  it("says when leases run out, and never a time in the past", () => {
    expect(textFor(100, 0, 20, 1)).toBe("100 left · 20 on your desk until 2026-03-01T14:31:00.000Z");
    expect(textFor(100, 0, 20, -3)).toBe("100 left · no longer reserved for you");
  });

  it("says when others have the rest", () => {
    expect(textFor(30, 10, 20, 8)).toBe("30 left · 10 on other reviewers' desks");
    expect(textFor(1, 1, 0, null)).toBe("1 left · 1 on another reviewer's desk");
  });
});
