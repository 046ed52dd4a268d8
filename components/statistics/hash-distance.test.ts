import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashDistance } from "./hash-distance.ts";

const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => value.toString(16).padStart(16, "0"));

describe("hashDistance", () => {
  it("counts differing bits", () => {
    expect(hashDistance("ffffffffffffffff", "0000000000000000")).toBe(64);
    expect(hashDistance("A0", "a1")).toBe(1);
  });

  it("returns null for hashes that cannot be compared", () => {
    expect(hashDistance(null, "00")).toBeNull();
    expect(hashDistance("00", "000")).toBeNull();
    expect(hashDistance("zz", "00")).toBeNull();
  });

  it("is symmetric and obeys the triangle inequality", () => {
    fc.assert(
      fc.property(hash, hash, hash, (a, b, c) => {
        const [ab, ba, ac, cb] = [
          hashDistance(a, b),
          hashDistance(b, a),
          hashDistance(a, c),
          hashDistance(c, b),
        ] as number[];
        expect(hashDistance(a, a)).toBe(0);
        expect(ab).toBe(ba);
        expect(ab as number).toBeLessThanOrEqual((ac as number) + (cb as number));
      }),
    );
  });
});
