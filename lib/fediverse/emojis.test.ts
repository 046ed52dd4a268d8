import { describe, expect, it } from "vitest";
import { pickEmojis } from "./emojis.ts";

const url = "https://x.example/e.png";

describe("pickEmojis", () => {
  it("returns the emoji used in a text, with their index in the stored list", () => {
    const stored = ["bio", "cat", "wave"].map((shortcode) => ({ shortcode, url }));
    expect(pickEmojis(stored, ["Dora :wave:", null, "<p>:cat: cat :bio</p>"])).toEqual([
      { shortcode: "cat", url, n: 1 },
      { shortcode: "wave", url, n: 2 },
    ]);
  });
  it("returns the first emoji of a shortcode and skips invalid shortcodes", () => {
    const stored = [null, {}, { shortcode: "a b", url }, { shortcode: "a" }, { shortcode: "a", url }];
    expect(pickEmojis(stored, [":a: :a b: ::"])).toEqual([{ shortcode: "a", url: "", n: 3 }]);
  });
  it("finds shortcodes that share a colon, and none that is longer than 100 characters", () => {
    const stored = ["a", "b", "x".repeat(101)].map((shortcode) => ({ shortcode, url }));
    expect(pickEmojis(stored, [`:a:b: :${"x".repeat(101)}:`]).map(({ n }) => n)).toEqual([0, 1]);
  });
  it("returns each shortcode once and ignores unused emoji", () => {
    const stored = Array.from({ length: 200 }, () => ({ shortcode: "a", url }));
    expect(pickEmojis(stored, [":a: :a:"])).toHaveLength(1);
    expect(pickEmojis(stored, [])).toEqual([]);
    expect(pickEmojis({}, [":a:"])).toEqual([]);
  });
});
