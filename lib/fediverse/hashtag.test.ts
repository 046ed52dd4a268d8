import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldHashtag, normaliseHashtag } from "./hashtag.ts";

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
});

describe("normaliseHashtag", () => {
  it.each([
    ["  #Cats  ", "Cats"],
    ["Café", "Café"],
    ["catsOf2026", "catsOf2026"],
    ["2026cats", "2026cats"],
    ["cat_pictures", "cat_pictures"],
    ["スター・ウォーズ", "スター・ウォーズ"],
    ["bellesà·m", "bellesà·m"],
    ["मराठी", "मराठी"],
    ["ไทย", "ไทย"],
  ])("converts %j to %j", (written, stored) => {
    expect(normaliseHashtag(written)).toBe(stored);
  });

  it.each([
    [""],
    ["#"],
    ["   "],
    ["2026"],
    ["cats and dogs"],
    ["cats,dogs"],
    ["cats!"],
    ["a-b"],
    ["·cats"],
    ["cats/dogs"],
    ["<b>"],
    ["cats\u0000"],
    ["https://mastodon.social/tags/cats"],
    ["a".repeat(256)],
  ])("refuses %j", (written) => {
    expect(normaliseHashtag(written)).toBeNull();
  });

  const letters = fc.constantFrom(..."abcXYZäößñçéÅøłжщλπ猫犬かなカナ한글עבمرहि_0123456789".normalize("NFC"));
  const word = fc.string({ unit: letters, minLength: 1, maxLength: 30 });

  it("is idempotent and ignores surrounding characters", () => {
    fc.assert(
      fc.property(
        word,
        fc.constantFrom("", "#", " #", "##", "＃", " # "),
        fc.constantFrom("", " ", "\n"),
        (tag, before, after) => {
          const once = normaliseHashtag(tag);
          expect(normaliseHashtag(before + tag + after)).toBe(once);
          if (once !== null) {
            expect(normaliseHashtag(once)).toBe(once);
            expect(foldHashtag(once)).not.toBe("");
          }
        },
      ),
    );
  });
});
