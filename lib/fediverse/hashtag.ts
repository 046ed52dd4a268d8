import { text } from "#lib/http/fields.ts";
import { z } from "zod";

/**
 * Letters that Mastodon folds to ASCII before it compares hashtags, written as `letters>equivalent` pairs.
 * Source: Mastodon `app/lib/ascii_folding.rb`. Only the small letters and the few capitals whose lower case is
 * outside the table are needed here, because folding happens after lower-casing.
 */
const FOLDED_LETTERS: Readonly<Record<string, string>> = {
  a: "àáâãäåāăą",
  c: "çćĉċč",
  d: "ðďđ",
  e: "èéêëēĕėęě",
  g: "ĝğġģ",
  h: "ĥħ",
  i: "ìíîïĩīĭįı",
  j: "ĵ",
  k: "ķĸ",
  l: "ĺļľŀł",
  n: "ñńņňŉŋ",
  o: "òóôõöøōŏő",
  r: "ŕŗř",
  s: "śŝşšſ",
  t: "ţťŧ",
  u: "ùúûüũūŭůűų",
  w: "ŵ",
  y: "ýÿŷ",
  z: "źżž",
};

const ASCII_OF = new Map(
  Object.entries(FOLDED_LETTERS).flatMap(([ascii, letters]) =>
    [...letters].map((letter) => [letter, ascii] as const),
  ),
);

/**
 * The form in which two hashtags are compared: NFKC, lower case, ASCII-folded, as Mastodon does it
 * (`HashtagNormalizer`), so `#Café`, `cafe` and `ＣＡＦÉ` are one hashtag. A leading `#` and surrounding white space
 * are taken off first. No dependencies: also used in the browser.
 *
 * @param hashtag one hashtag, with or without `#`
 */
export function foldHashtag(hashtag: string): string {
  // Lower-casing can undo NFKC (and the other way round) for a handful of letters, hence the second normalisation.
  const lower = hashtag
    .normalize("NFKC")
    .trim()
    .replace(/^[#\s]+/u, "")
    .toLowerCase()
    .normalize("NFKC");
  let folded = "";
  for (const letter of lower) folded += ASCII_OF.get(letter) ?? letter;
  return folded;
}

/** Letters, marks, digits and connector punctuation: what Mastodon calls a word character. */
const WORD = "[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]";
/** Allowed between words: underscore, middle dot, katakana middle dot, zero-width non-joiner. */
const SEPARATORS = "_\\u00b7\\u30fb\\u200c";
const WORD_OR_SEPARATOR = `[\\p{L}\\p{M}\\p{Nd}\\p{Pc}${SEPARATORS}]`;

/**
 * Mastodon's `Tag::HASHTAG_NAME_PAT`: at least one letter, so that `#1` is a number and not a hashtag, and
 * separators only inside.
 */
const HASHTAG = new RegExp(
  `^(?:${WORD}${WORD_OR_SEPARATOR}*[\\p{Alphabetic}${SEPARATORS}]${WORD_OR_SEPARATOR}*${WORD}|${WORD}*\\p{Alphabetic}${WORD}*)$`,
  "u",
);
const MAX_LENGTH = 255;

/**
 * A hashtag as it is stored: surrounding white space and leading `#` (also the full-width one) taken off, its
 * letters kept as written. Null when it is not a hashtag by Mastodon's rule.
 */
export function normaliseHashtag(text: string): string | null {
  const bare = text.trim().replace(/^[#＃\s]+/u, "");
  return bare.length <= MAX_LENGTH && HASHTAG.test(bare) ? bare : null;
}

/** A hashtag in a request body, parsed by `normaliseHashtag`. */
export const hashtagField = text(300)
  .transform((value, ctx) => {
    const normalised = normaliseHashtag(value);
    if (normalised !== null) return normalised;
    ctx.addIssue({ code: "custom", message: "is not a hashtag" });
    return z.NEVER;
  })
  .meta({ override: { type: "string" } });
