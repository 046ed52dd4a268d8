import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldHashtag } from "./fold-hashtag.ts";

describe("foldHashtag", () => {
  it.each([
    ["#Cats", "cats"],
    ["  #CatsOfMastodon ", "catsofmastodon"],
    ["Café", "cafe"],
    ["Cafe\u0301", "cafe"],
    ["ＣＡＦÉ", "cafe"],
    ["Łódź", "lodz"],
    ["STRASSE", "strasse"],
    ["Straße", "straße"],
    ["ﾈｺ", "ネコ"],
    ["Кошки", "кошки"],
    ["İstanbul", "i\u0307stanbul"],
    ["ĸ", "k"],
    ["", ""],
  ])("%s -> %s", (written, folded) => {
    expect(foldHashtag(written)).toBe(folded);
  });

  it("does not care about letter case or a leading #", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9_]{1,30}$/), (tag) => {
        expect(foldHashtag(tag.toUpperCase())).toBe(foldHashtag(tag.toLowerCase()));
        expect(foldHashtag(`#${tag}`)).toBe(foldHashtag(tag));
        expect(foldHashtag(foldHashtag(tag))).toBe(foldHashtag(tag));
      }),
    );
  });
});
