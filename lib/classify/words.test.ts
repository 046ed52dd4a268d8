import { describe, expect, it } from "vitest";
import { countStrongWords } from "./strong-words.ts";
import { foldWord, phrasesIn, wordsOf } from "./words.ts";

describe("the operator's words", () => {
  const found = (text: string, ...list: string[]) => phrasesIn(wordsOf(text), list.map(foldWord));

  it("match regardless of letter case and letter form", () => {
    expect(found("Big GIVEAWAY today", "giveaway")).toEqual(["giveaway"]);
    expect(found("ｇｉｖｅａｗａｙ!", "Giveaway")).toEqual(["giveaway"]);
  });

  it("match whole words only", () => {
    expect(found("The class passes", "ass")).toEqual([]);
  });

  it("may be phrases, across punctuation", () => {
    expect(found("Free — crypto!", "free crypto")).toEqual(["free crypto"]);
    expect(found("crypto free", "free crypto")).toEqual([]);
  });

  it("match words in scripts without spaces", () => {
    expect(found("無料の抽選に応募してください", "抽選")).toEqual(["抽選"]);
  });

  it("are never treated as patterns", () => {
    expect(found("anything at all", ".*", "a.*")).toEqual([]);
    expect(foldWord("!!!")).toBe("");
  });
});

describe("strong words", () => {
  it("are counted once each, in the post's language and English", () => {
    expect(countStrongWords(wordsOf("Scheiße, shit, shit"), "de-AT")).toBe(2);
    expect(countStrongWords(wordsOf("A calm day in Scunthorpe"), "en")).toBe(0);
  });

  it("work with an unknown language", () => {
    expect(countStrongWords(wordsOf("shit"), "__proto__")).toBe(1);
    expect(countStrongWords(wordsOf("shit"), null)).toBe(1);
  });
});
