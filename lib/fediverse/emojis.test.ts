import { describe, expect, it } from "vitest";
import { pickEmojis } from "./emojis.ts";

const url = "https://x.example/e.png";

describe("pickEmojis", () => {
  it("takes those that a text names, each with its place among the stored", () => {
    const stored = ["bio", "cat", "wave"].map((shortcode) => ({ shortcode, url }));
    expect(pickEmojis(stored, ["Dora :wave:", null, "<p>:cat: cat :bio</p>"])).toEqual([
      { shortcode: "cat", url, n: 1 },
      { shortcode: "wave", url, n: 2 },
    ]);
  });
  it("takes the first of a name, and none that no text can name", () => {
    const stored = [null, {}, { shortcode: "a b", url }, { shortcode: "a" }, { shortcode: "a", url }];
    expect(pickEmojis(stored, [":a: :a b: ::"])).toEqual([{ shortcode: "a", url: "", n: 3 }]);
  });
  it("is as short as the texts, however many there are", () => {
    const stored = Array.from({ length: 200 }, () => ({ shortcode: "a", url }));
    expect(pickEmojis(stored, [":a: :a:"])).toHaveLength(1);
    expect(pickEmojis(stored, [])).toEqual([]);
    expect(pickEmojis({}, [":a:"])).toEqual([]);
  });
});
