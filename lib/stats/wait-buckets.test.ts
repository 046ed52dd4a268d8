import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundsOf, bucketOf, percentile } from "./wait-buckets.ts";

const histogram = (waits: number[]) => {
  const counts = new Map<number, number>();
  for (const wait of waits) counts.set(bucketOf(wait), (counts.get(bucketOf(wait)) ?? 0) + 1);
  return counts;
};
const wait = fc.double({ min: 0, max: 30_000_000, noNaN: true });

describe("wait buckets", () => {
  it("contain the waits between their bounds", () => {
    fc.assert(
      fc.property(wait, (seconds) => {
        const [from, to] = boundsOf(bucketOf(seconds));
        // Exactly at a bound the rounding of the logarithm decides.
        expect(seconds).toBeGreaterThanOrEqual(from * (1 - 1e-9));
        expect(seconds).toBeLessThan(to * (1 + 1e-9));
      }),
    );
  });

  it("give percentiles within 19 % or one second", () => {
    fc.assert(
      fc.property(
        fc.array(wait, { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (waits, share) => {
          const sorted = [...waits].sort((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? 0;
          const found = percentile(histogram(waits), share) ?? -1;
          // 2^(1/4), plus rounding to three digits.
          expect(found).toBeGreaterThanOrEqual(exact < 1 ? 0 : (exact / 2 ** 0.25) * 0.99);
          expect(found).toBeLessThanOrEqual(exact < 1 ? 1 : exact * 2 ** 0.25 * 1.01);
        },
      ),
    );
  });

  it("give percentiles that grow with the share", () => {
    const counts = histogram([1, 5, 60, 60, 3600, 86_400]);
    const found = [0.1, 0.5, 0.9, 1].map((share) => percentile(counts, share) ?? 0);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  it("give null without waits, also after removed counts", () => {
    expect(percentile(new Map(), 0.5)).toBeNull();
    expect(percentile(new Map([[3, 0]]), 0.5)).toBeNull();
  });
});
