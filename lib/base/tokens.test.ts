import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normaliseForSearch, searchLexemes, searchQuery, type SearchableText } from "./tokens.ts";

function post(over: Partial<SearchableText> = {}): SearchableText {
  return {
    plain_text: "",
    spoiler_text: null,
    author_display_name: null,
    author_account: "@a@b.c",
    hashtags: [],
    media: [],
    ...over,
  };
}

/** The result of `lexemes @@ query` in PostgreSQL, for queries of plain words. */
function finds(q: string, text: string): boolean {
  const lexemes = new Set(searchLexemes(post({ plain_text: text })));
  const query = searchQuery(q);
  return query !== null && query.split(" & ").every((term) => lexemes.has(term.slice(1, -1)));
}

describe("words", () => {
  test.each([
    ["Café au lait", "cafe"],
    ["ＣＡＴＳ", "cats"],
    ["Straße", "strasse"],
    ["Ёлка", "елка"],
    ["l'amour", "amour"],
    ["soft\u00adhyphen", "softhyphen"],
    ["ΟΔΟΣ", "οδος"],
    ["look at #CatsOfMastodon!", "#catsofmastodon"],
    ["good 🐱 morning", "🐱"],
    ["مُحَمَّد", "محمد"],
    ["Đà Nẵng", "da nang"],
  ])("%j is found by %j", (text, q) => {
    expect(finds(q, text)).toBe(true);
  });

  test.each([
    ["category", "cat"],
    ["か", "が"],
    ["cat", "cat dog"],
  ])("%j is not found by %j", (text, q) => {
    expect(finds(q, text)).toBe(false);
  });

  test("a star behind a word asks for any ending", () => {
    expect(searchQuery("cat* dog")).toBe("'cat':* & 'dog'");
  });

  test("a query without a word is no query", () => {
    expect([searchQuery(""), searchQuery(" !?* "), searchQuery("''\\")]).toEqual([null, null, null]);
  });
});

describe("scripts without spaces", () => {
  test("are found by one character, by a pair and by more", () => {
    const text = "今日は東京都で猫を見た";
    expect(["猫", "東京", "東京都", "で猫を"].map((q) => finds(q, text))).toEqual([true, true, true, true]);
    expect(finds("京東", text)).toBe(false);
  });

  test("and words beside them are kept apart", () => {
    expect(searchLexemes(post({ author_account: "", plain_text: "iPhone買った" }))).toEqual([
      "iphone",
      "買",
      "っ",
      "た",
      "買っ",
      "った",
    ]);
  });
});

test("author, warning, alt text and hashtags are searched too", () => {
  const lexemes = searchLexemes(
    post({
      author_account: "@Alice_B@Example.org",
      author_display_name: "Alice 🌻",
      spoiler_text: "Spiders",
      hashtags: ["Macro"],
      media: [{ description: "eight legs" }, { description: null }, {}],
    }),
  );
  expect(lexemes).toEqual(
    expect.arrayContaining(["alice", "b", "example", "org", "🌻", "spiders", "macro", "eight", "legs"]),
  );
});

test("laws: lexemes fit a tsvector, queries fit a tsquery, a text is found by itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      const lexemes = searchLexemes(post({ plain_text: text }));
      for (const lexeme of lexemes) {
        expect(lexeme.length).toBeGreaterThan(0);
        expect(lexeme).not.toMatch(/[\s'\\:&|!()<>*\0]/u);
        expect(lexeme.isWellFormed()).toBe(true);
      }
      expect(new Set(lexemes).size).toBe(lexemes.length);
      expect(normaliseForSearch(normaliseForSearch(text))).toBe(normaliseForSearch(text));
      const query = searchQuery(text);
      if (query !== null && !query.includes(":*")) expect(finds(text, text)).toBe(true);
    }),
  );
});

test("a very long text stays below every limit of PostgreSQL", () => {
  const words = Array.from({ length: 50_000 }, (_, i) => `w${i}`).join(" ");
  const lexemes = searchLexemes(post({ plain_text: `${words} ${"x".repeat(90_000)}` }));
  expect(lexemes.length).toBeLessThanOrEqual(5_000);
  expect(searchLexemes(post({ plain_text: "y".repeat(90_000) })).at(-1)).toBe("y".repeat(64));
  expect(searchQuery(words)?.split(" & ").length).toBe(32);
});
