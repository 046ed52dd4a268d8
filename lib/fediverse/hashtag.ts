import { z } from "zod";
import { text } from "#lib/base/http/fields.ts";
import { normaliseUnicode } from "#lib/base/unicode-text.ts";

/* Mastodon's ASCII folding (`app/lib/ascii_folding.rb`), for lower-cased text. */
const NON_ASCII =
  "àáâãäåāăąçćĉċčðďđèéêëēĕėęěĝğġģĥħìíîïĩīĭįıĵķĸĺļľŀłñńņňŉŋòóôõöøōŏőŕŗřśŝşšſţťŧùúûüũūŭůűųŵýÿŷźżž";
const EQUIVALENT_ASCII =
  "aaaaaaaaacccccdddeeeeeeeeegggghhiiiiiiiiijkklllllnnnnnnooooooooorrrssssstttuuuuuuuuuuwyyyzzz";
const ASCII_OF = new Map([...NON_ASCII].map((letter, n) => [letter, EQUIVALENT_ASCII[n]]));

/**
 * Folds a hashtag for comparison: NFKC, lower case, ASCII-folded, as in Mastodon's `HashtagNormalizer`. Also used in the
 * browser, so it has no dependencies.
 *
 * @param hashtag with or without `#`
 */
export function foldHashtag(hashtag: string): string {
  // Lower-casing can undo NFKC for a few letters.
  const lower = normaliseUnicode(hashtag, "NFKC")
    .trim()
    .replace(/^[#\s]+/u, "")
    .toLowerCase()
    .normalize("NFKC");
  return lower.replace(/[^\0-\x7f]/gu, (letter) => ASCII_OF.get(letter) ?? letter);
}

/** A word character as Mastodon defines it. */
const WORD = "[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]";
/** Underscore, middle dot, katakana middle dot, zero-width non-joiner. */
const SEPARATORS = "_\\u00b7\\u30fb\\u200c";
const WORD_OR_SEPARATOR = `[\\p{L}\\p{M}\\p{Nd}\\p{Pc}${SEPARATORS}]`;

/** Mastodon's `Tag::HASHTAG_NAME_PAT`: at least one letter, separators only inside. */
const HASHTAG = new RegExp(
  `^(?:${WORD}${WORD_OR_SEPARATOR}*[\\p{Alphabetic}${SEPARATORS}]${WORD_OR_SEPARATOR}*${WORD}|${WORD}*\\p{Alphabetic}${WORD}*)$`,
  "u",
);
const MAX_LENGTH = 255;

/**
 * Returns the stored form: without white space and `#` around it, letters as written. Null for an invalid hashtag.
 */
export function normaliseHashtag(text: string): string | null {
  const bare = text.trim().replace(/^[#＃\s]+/u, "");
  return bare.length <= MAX_LENGTH && HASHTAG.test(bare) ? bare : null;
}

export const hashtagField = text(300)
  .transform((value, ctx) => {
    const normalised = normaliseHashtag(value);
    if (normalised !== null) return normalised;
    ctx.addIssue({ code: "custom", message: "is not a hashtag" });
    return z.NEVER;
  })
  .meta({ override: { type: "string" }, description: "Hashtag without `#`.", example: "birds" });
