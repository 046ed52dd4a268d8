import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffText } from "./text-diff.ts";

const side = (parts: ReturnType<typeof diffText>, kind: "added" | "removed") =>
  parts
    .filter((part) => part.kind === "same" || part.kind === kind)
    .map((part) => part.text)
    .join("");

describe("diffText", () => {
  it("names the words that changed", () => {
    expect(diffText("A heron on the weir", "A swan on the weir")).toEqual([
      { kind: "same", text: "A " },
      { kind: "removed", text: "heron" },
      { kind: "added", text: "swan" },
      { kind: "same", text: " on the weir" },
    ]);
  });

  it("counts letters where a script has no spaces", () => {
    expect(diffText("猫がいる", "犬がいる").map((part) => part.text)).toEqual(["猫", "犬", "がいる"]);
  });

  it("gives both sides back, whatever they are", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "猫", ".", "\n", "é"), maxLength: 60 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffText(before, after);
        expect([side(parts, "removed"), side(parts, "added")]).toEqual([before, after]);
      }),
    );
  });

  it("gives very long texts whole instead of thinking for seconds", () => {
    const [before, after] = ["x ".repeat(3000), "y ".repeat(3000)];
    const parts = diffText(before, after);
    expect([side(parts, "removed"), side(parts, "added")]).toEqual([before, after]);
    expect(parts.length).toBeLessThan(5);
  });
});
