import { describe, expect, it } from "vitest";
import type { CheckQuality } from "#lib/checks/quality/schema.ts";
import { progressOf } from "./figures-table.tsx";
import { adviceOn, foundBy } from "./verdicts-panel.tsx";

/** A check with `warned` warnings, of which `found` were rejected, and `missed` rejections among `others`. */
function check(
  warned: number,
  found: number,
  others: number,
  missed: number,
  threshold: number | null = 0.7,
) {
  const n = warned + others;
  return {
    name: "learner",
    threshold,
    needed: 60,
    all_time: {
      n,
      rejected: found + missed,
      precision: warned === 0 ? null : { n: warned, hits: found, share: found / warned, low: 0, high: 1 },
    },
  } as unknown as CheckQuality;
}

describe("the sentence about a check", () => {
  it("counts warnings, rejections among them, and misses", () => {
    expect(foundBy(check(9, 7, 38, 3))).toBe(
      "Warned of 9 posts, you rejected 7 of them. Missed 3 rejections among the 38 other posts.",
    );
    expect(foundBy(check(1, 1, 1, 0))).toBe(
      "Warned of 1 post, you rejected 1 of them. Missed no rejection among the other post.",
    );
    expect(foundBy(check(0, 0, 52, 25))).toBe(
      "Warned of no post. Missed 25 rejections among the 52 other posts.",
    );
    expect(foundBy(check(4, 4, 0, 0))).toBe(
      "Warned of 4 posts, you rejected 4 of them. There are no other posts.",
    );
  });

  it("says what to do with the threshold", () => {
    expect(adviceOn(check(20, 4, 60, 5))).toMatch(/^Raise the threshold of 70 %/);
    expect(adviceOn(check(5, 5, 60, 30))).toMatch(/^Lower the threshold of 70 %/);
    expect(adviceOn(check(9, 7, 38, 3))).toMatch(/^Keep the threshold of 70 %/);
    expect(adviceOn(check(0, 0, 60, 30, null))).toMatch(/^No threshold/);
  });

  it("counts approvals and rejections that are still needed", () => {
    expect(progressOf(check(5, 4, 60, 4))).toBe("30 of 30 approvals, 8 of 30 rejections");
  });
});
