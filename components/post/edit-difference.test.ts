import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffText } from "./edit-difference.tsx";

const side = (parts: ReturnType<typeof diffText>, kind: "added" | "removed") =>
  parts
    .filter((part) => part.kind === "same" || part.kind === kind)
    .map((part) => part.text)
    .join("");

describe("diffText", () => {
  it("marks the changed words", () => {
    expect(diffText("A heron on the weir", "A swan on the weir")).toEqual([
      { kind: "same", text: "A " },
      { kind: "removed", text: "heron" },
      { kind: "added", text: "swan" },
      { kind: "same", text: " on the weir" },
    ]);
  });

  it("splits scripts without spaces into words", () => {
    expect(diffText("猫がいる", "犬がいる").map((part) => part.text)).toEqual(["猫", "犬", "がいる"]);
    expect(diffText("今日は良い天気です", "今日は悪い天気です").map((part) => part.text)).toEqual([
      "今日は",
      "良い",
      "悪い",
      "天気です",
    ]);
  });

  it("keeps both texts complete", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "猫", ".", "\n", "é"), maxLength: 60 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffText(before, after);
        expect([side(parts, "removed"), side(parts, "added")]).toEqual([before, after]);
      }),
    );
  });

  it("shows a rewritten text before and now", () => {
    const [before, after] = ["A heron on the weir", "The queue of the bakery on Sunday"];
    expect(diffText(before, after)).toEqual([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  });

  it("returns very different long texts whole instead of comparing for seconds", () => {
    const [before, after] = ["x ".repeat(3000), "y ".repeat(3000)];
    const parts = diffText(before, after);
    expect([side(parts, "removed"), side(parts, "added")]).toEqual([before, after]);
    expect(parts.length).toBeLessThan(5);
  });
});
