import fc from "fast-check";
import { expect, it } from "vitest";
import { heldBy, holdBits } from "./holds.ts";

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
] as const;

it("heldBy names the first reason in the documented order", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1023 }), (holds) => {
      expect(heldBy({ holds })).toBe(order.find((reason) => holds & holdBits[reason]) ?? null);
    }),
  );
});
