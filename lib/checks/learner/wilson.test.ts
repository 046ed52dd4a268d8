import fc from "fast-check";
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

  it("contains the share and stays within 0 and 1", () => {
    const counts = fc.integer({ min: 1, max: 10_000 }).chain((n) => fc.tuple(fc.nat(n), fc.constant(n)));
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 5, noNaN: true }), ([hits, n], z) => {
        const { low, high } = wilsonInterval(hits, n, z)!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(hits / n + 1e-12);
        expect(high).toBeGreaterThanOrEqual(hits / n - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });
});
