import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays } from "./overview-schema.ts";
import { weeksWithin } from "./weeks-within.ts";

describe("weeksWithin", () => {
  it("covers each day of the range once, and no other day", () => {
    fc.assert(
      fc.property(fc.nat(4000), fc.integer({ min: 1, max: 92 }), (start, length) => {
        const range = { from: addDays("2024-01-01", start), to: addDays("2024-01-01", start + length - 1) };
        const covered = weeksWithin(range).flatMap((part) => {
          const days: string[] = [];
          const length = part.grain === "week" ? 7 : 1;
          for (let row = part.from; row <= part.to; row = addDays(row, length)) {
            for (let n = 0; n < length; n++) days.push(addDays(row, n));
          }
          return days;
        });
        expect(covered.sort()).toEqual(Array.from({ length }, (_, n) => addDays(range.from, n)));
      }),
    );
  });

  it("returns whole weeks from Monday to Sunday", () => {
    // 2026-05-04 is a Monday.
    expect(weeksWithin({ from: "2026-05-04", to: "2026-05-10" })).toEqual([
      { grain: "week", from: "2026-05-04", to: "2026-05-04" },
    ]);
    expect(weeksWithin({ from: "2026-05-05", to: "2026-05-17" })).toEqual([
      { grain: "week", from: "2026-05-11", to: "2026-05-11" },
      { grain: "day", from: "2026-05-05", to: "2026-05-10" },
    ]);
    expect(weeksWithin({ from: "2026-05-05", to: "2026-05-10" })).toEqual([
      { grain: "day", from: "2026-05-05", to: "2026-05-10" },
    ]);
  });
});
