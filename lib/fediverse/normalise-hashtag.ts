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
 * letters kept as written (contract §5). Null when that is no hashtag, by Mastodon's own rule.
 */
export function normaliseHashtag(text: string): string | null {
  const bare = text.trim().replace(/^[#＃\s]+/u, "");
  return bare.length <= MAX_LENGTH && HASHTAG.test(bare) ? bare : null;
}
