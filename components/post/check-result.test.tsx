import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { CheckBadge, isNoteworthy, resultText, type Classified } from "./check-result.tsx";

const fine: Classified = {
  ai_would_reject: false,
  ai_score: 0.1,
  vision_category: "neutral",
  ai_reasons: [],
  pictures_waiting: false,
};
const unchecked = { ai_would_reject: null, ai_score: null, vision_category: null };

const badgeOf = (post: Classified, short: boolean) =>
  renderToStaticMarkup(<CheckBadge post={post} short={short} />).replaceAll(/<[^>]*>/g, "");

describe("the result of the checks", () => {
  it.each<[string, string, string, Partial<Classified>]>([
    ["an unchecked post", "Not checked yet", "Not checked", unchecked],
    ["advice to reject", "Checks would reject", "Would reject", { ai_would_reject: true, ai_score: 0.9 }],
    ["a score from 35 to 65 %", "Checks have doubts", "Doubts", { ai_score: 0.35 }],
    ["an uncertain picture", "Checks have doubts", "Doubts", { vision_category: "uncertain" }],
    [
      "unreadable pictures",
      "Pictures could not be checked",
      "Could not be checked",
      { vision_category: "unavailable" },
    ],
    [
      "unreadable pictures and a bad text",
      "Checks would reject",
      "Would reject",
      { ai_would_reject: true, vision_category: "unavailable" },
    ],
    ["nothing wrong", "Checks see no problem", "No problem", {}],
    ["a post without pictures", "Checks see no problem", "No problem", { vision_category: "none" }],
  ])("of %s is said in words", (_name, text, short, given) => {
    const post = { ...fine, ...given };
    expect(resultText(post)).toBe(text);
    expect(badgeOf(post, false)).toBe(text);
    expect(badgeOf(post, true)).toBe(short);
    // A tile's words are a part of the full ones, so a voice command finds the badge.
    expect(text.toLowerCase()).toContain(short.toLowerCase());
    expect(isNoteworthy(post)).toBe(text !== "Checks see no problem");
  });
});
