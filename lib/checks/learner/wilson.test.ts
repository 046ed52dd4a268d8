import { describe, expect, it } from "vitest";
import { wilsonInterval } from "./wilson.ts";

describe("wilsonInterval", () => {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])("of %d in %d agrees with the published one", (hits, n, low, high) => {
    const interval = wilsonInterval(hits, n, 1.959964);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it("is null without an observation", () => {
    expect(wilsonInterval(0, 0, 1.96)).toBeNull();
  });
});
