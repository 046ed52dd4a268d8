import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heldBy, holdBits, requirementBits } from "./holds.ts";

const off = { require_media: false, require_alt_text: false, auto_reject_bots: false };
const on = { require_media: true, require_alt_text: true, auto_reject_bots: true };
const order = [
  "require_media",
  "require_alt_text",
  "bot",
  "blocked_user",
  "blocked_hashtag",
  "unconfirmed",
  "unverifiable",
  "differs",
  "opt-out reported",
  "no https address",
];

describe("heldBy", () => {
  it("names the first reason in the documented order", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 127 }), fc.integer({ min: 0, max: 7 }), (holds, missing) => {
        const reasons = [
          ...(missing & requirementBits.require_media ? ["require_media"] : []),
          ...(missing & requirementBits.require_alt_text ? ["require_alt_text"] : []),
          ...(missing & requirementBits.auto_reject_bots ? ["bot"] : []),
          ...Object.entries(holdBits).flatMap(([name, bit]) => (holds & bit ? [name] : [])),
        ];
        const first = order.find((reason) => reasons.includes(reason)) ?? null;
        expect(heldBy({ holds, missing }, on)).toBe(first);
      }),
    );
  });

  it("ignores missing requirements whose switch is off", () => {
    expect(heldBy({ holds: 0, missing: 7 }, off)).toBeNull();
    expect(heldBy({ holds: 0, missing: 4 }, { ...off, auto_reject_bots: true })).toBe("bot");
    expect(heldBy({ holds: 0, missing: 4 }, { ...off, require_media: true })).toBeNull();
  });
});
