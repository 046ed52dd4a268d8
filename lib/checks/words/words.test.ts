import { describe, expect, it } from "vitest";
import { countStrongWords, foldWord, phrasesIn, wordsOf } from "./words.ts";

describe("phrasesIn", () => {
  const found = (text: string, ...list: string[]) => phrasesIn(wordsOf(text), list.map(foldWord));

  it("ignores letter case and letter width", () => {
    expect(found("Big GIVEAWAY today", "giveaway")).toEqual(["giveaway"]);
    expect(found("ｇｉｖｅａｗａｙ!", "Giveaway")).toEqual(["giveaway"]);
  });

  it("matches whole words only", () => {
    expect(found("The class passes", "ass")).toEqual([]);
  });

  it("matches phrases across punctuation, in order", () => {
    expect(found("Free — crypto!", "free crypto")).toEqual(["free crypto"]);
    expect(found("crypto free", "free crypto")).toEqual([]);
  });

  it("finds words in scripts without spaces", () => {
    expect(found("無料の抽選に応募してください", "抽選")).toEqual(["抽選"]);
  });

  it("does not treat words as patterns", () => {
    expect(found("anything at all", ".*", "a.*")).toEqual([]);
    expect(foldWord("!!!")).toBe("");
  });
});

describe("countStrongWords", () => {
  it("counts each word once, in the language of the post and in English", () => {
    expect(countStrongWords(wordsOf("Scheiße, shit, shit"), "de-AT")).toBe(2);
    expect(countStrongWords(wordsOf("A calm day in Scunthorpe"), "en")).toBe(0);
  });

  it("falls back to English for an unknown language", () => {
    expect(countStrongWords(wordsOf("shit"), "__proto__")).toBe(1);
    expect(countStrongWords(wordsOf("shit"), null)).toBe(1);
  });
});
