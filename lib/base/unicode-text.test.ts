import { describe, expect, it } from "vitest";
import { cutMarks } from "./unicode-text.ts";

const FORMS = ["NFC", "NFD", "NFKC", "NFKD"] as const;
/** Combining classes 230 and 220: normalising puts the second before the first. */
const ABOVE = "\u0301";
const BELOW = "\u0323";

describe("cutMarks", () => {
  it("keeps 30 marks of a run, and all text around it", () => {
    const word = `e${ABOVE.repeat(30)}`;
    expect(cutMarks(`${word} x`)).toBe(`${word} x`);
    expect(cutMarks(`${word}${BELOW.repeat(5_000)} x${BELOW} 👩‍🚀❤️`)).toBe(`${word} x${BELOW} 👩‍🚀❤️`);
  });

  it.each(["Zürich", "tiếng Việt", "שָׁלוֹם", "العَرَبِيَّة", "हिन्दी", "བོད་ཡིག", "ﾊﾟｿｺﾝ", "1️⃣"])("keeps %s", (text) => {
    for (const form of FORMS) expect(cutMarks(text.normalize(form))).toBe(text.normalize(form));
  });

  it("changes nothing when applied again", () => {
    const once = cutMarks(`a${ABOVE.repeat(100)}${"\uff9e".repeat(100)}b${BELOW.repeat(31)}`);
    expect(cutMarks(once)).toBe(once);
  });

  it("knows each character that normalising moves in front of others", () => {
    const missed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      // Each form moves a part of what NFKD moves. U+0334 has the lowest class, U+0345 the highest.
      const own = letter.normalize("NFKD");
      const moves =
        `${letter}\u0334`.normalize("NFKD").startsWith("\u0334") ||
        `\u0345${letter}`.normalize("NFKD").startsWith(`${own}\u0345`);
      if (moves && cutMarks(letter.repeat(31)) !== letter.repeat(30)) missed.push(code.toString(16));
    }
    expect(missed).toEqual([]);
  });
});
