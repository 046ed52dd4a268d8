import { describe, expect, it } from "vitest";
import { isNoteworthy, resultText, type Classified } from "./check-result.tsx";

const fine: Classified = {
  ai_would_reject: false,
  ai_score: 0.1,
  vision_category: "neutral",
  ai_reasons: [],
  pictures_waiting: false,
};
const unchecked = { ai_would_reject: null, ai_score: null, vision_category: null };

describe("the result of the checks", () => {
  it.each<[string, string, Partial<Classified>]>([
    ["an unchecked post", "Not checked yet", unchecked],
    ["advice to reject", "Checks would reject", { ai_would_reject: true, ai_score: 0.9 }],
    ["a score from 35 to 65 %", "Checks have doubts", { ai_score: 0.35 }],
    ["an uncertain picture", "Checks have doubts", { vision_category: "uncertain" }],
    ["unreadable pictures", "Pictures could not be checked", { vision_category: "unavailable" }],
    [
      "unreadable pictures and a bad text",
      "Checks would reject",
      { ai_would_reject: true, vision_category: "unavailable" },
    ],
    ["nothing wrong", "Checks see no problem", {}],
    ["a post without pictures", "Checks see no problem", { vision_category: "none" }],
  ])("of %s is said in words", (_name, text, given) => {
    const post = { ...fine, ...given };
    expect(resultText(post)).toBe(text);
    expect(isNoteworthy(post)).toBe(text !== "Checks see no problem");
  });
});
