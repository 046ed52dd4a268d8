import { describe, expect, it } from "vitest";
import { foldWord, phrasesIn, wordsOf } from "./words.ts";

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
