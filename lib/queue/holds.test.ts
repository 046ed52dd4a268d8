import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldBy, holdBits, lackBits } from "./holds.ts";

const off = { require_media: false, require_alt_text: false, auto_reject_bots: false };
const on = { require_media: true, require_alt_text: true, auto_reject_bots: true };
const order = [
  "require_media",
  "require_alt_text",
  "bot",
  "blocked_user",
  "blocked_hashtag",
  "unverifiable",
  "differs",
  "opt-out reported",
  "no https address",
];

describe("heldBy", () => {
  it("names the first reason in the contract's order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 63 }), fc.integer({ min: 0, max: 7 }), (holds, lacks) => {
        const reasons = [
          ...(lacks & lackBits.require_media ? ["require_media"] : []),
          ...(lacks & lackBits.require_alt_text ? ["require_alt_text"] : []),
          ...(lacks & lackBits.auto_reject_bots ? ["bot"] : []),
          ...Object.entries(holdBits).flatMap(([name, bit]) => (holds & bit ? [name] : [])),
        ];
        const first = order.find((reason) => reasons.includes(reason)) ?? null;
        expect(heldBy({ holds, lacks }, on)).toBe(first);
      }),
    );
  });

  it("asks what a post lacks only of switches that are on", () => {
    expect(heldBy({ holds: 0, lacks: 7 }, off)).toBeNull();
    expect(heldBy({ holds: 0, lacks: 4 }, { ...off, auto_reject_bots: true })).toBe("bot");
    expect(heldBy({ holds: 0, lacks: 4 }, { ...off, require_media: true })).toBeNull();
  });
});
