import { describe, expect, it } from "vitest";
import { searchTerms } from "#lib/base/tokens.ts";
import { shareOf } from "./word-frequency.ts";

const known = {
  posts: 1_000_000,
  shares: new Map([
    ["the", 0.96],
    ["cat", 0.04],
    ["cats", 0.02],
    ["写真", 0.05],
  ]),
};
const share = (q: string) => shareOf(searchTerms(q), known);

describe("the probable share of posts with some words", () => {
  it("is none when one word is not among the frequent ones", () => {
    expect(share("the heron")).toBe(0);
    expect(share("heron*")).toBe(0);
    expect(share("...")).toBe(0);
  });
  it("is a little less with every further word, in any order", () => {
    expect(share("the cat")).toBeCloseTo(0.04 * Math.sqrt(0.96));
    expect(share("cat the")).toBe(share("the cat"));
    expect(share("the cat cats")).toBeLessThan(share("the cat"));
    // Less than the rarest, more than chance would have it.
    expect(share("cat cats")).toBeLessThan(0.02);
    expect(share("cat cats")).toBeGreaterThan(0.04 * 0.02);
  });
  it("adds up the words of a prefix", () => {
    expect(share("cat*")).toBeCloseTo(1 - 0.96 * 0.98);
  });
});
