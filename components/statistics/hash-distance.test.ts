import { describe, expect, it } from "vitest";
import { hashDistance } from "./hash-distance.ts";

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
});
