import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { LeftToReview } from "./left-to-review.tsx";

vi.mock("#components/ui/relative-time.tsx", () => ({ ClockTime: ({ at }: { at: string }) => at }));

const textFor = (count: number | null, own: number) => {
  const props = { count, isMore: false, leasedToOthers: 0, own: { count: own, until: "14:32" } };
  return renderToStaticMarkup(createElement(LeftToReview, props)).replaceAll(/<[^>]*>/g, "");
};

describe("LeftToReview", () => {
  it("says when the posts on the own desk are not only those of the filters", () => {
    expect(textFor(16, 12)).toBe("16 left · 12 on your desk until 14:32");
    expect(textFor(16, 50)).toBe("16 left · 50 on your desk under all filters until 14:32");
    expect(textFor(null, 50)).toBe("Counting · 50 on your desk until 14:32");
  });
});
