import { normaliseUnicode } from "#lib/base/unicode-text.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";

const segmenter = new Intl.Segmenter("und", { granularity: "word" });
const EMOJI = /^\p{Extended_Pictographic}/u;

/** Words in NFKC and lower case, split at Unicode word boundaries (also in Japanese and Thai). */
export function wordsOf(text: string, { withEmoji = false } = {}): string[] {
  const segments = [...segmenter.segment(normaliseUnicode(text, "NFKC").toLowerCase())];
  const words = segments.filter(
    ({ isWordLike, segment }) => isWordLike || (withEmoji && EMOJI.test(segment)),
  );
  return words.map(({ segment }) => segment);
}

/** Characters of a text that are checked; posts have at most a few thousand. */
export const MAX_CHECKED = 10_000;

/** Words of a post, for comparison with the word list. */
export function wordsOfPost(post: {
  spoiler_text: string | null;
  plain_text: string;
  hashtags: readonly string[];
}): string[] {
  return wordsOf(
    [post.spoiler_text ?? "", cutCodePoints(post.plain_text, MAX_CHECKED), ...post.hashtags].join("\n"),
  );
}

/** Stored form of a list entry; "" without a letter or digit. */
export function foldWord(word: string): string {
  return wordsOf(word).join(" ");
}

/**
 * Phrases that the text contains, compared by whole words.
 *
 * @param phrases from `foldWord`
 */
export function phrasesIn(textWords: readonly string[], phrases: readonly string[]): string[] {
  const line = ` ${textWords.join(" ")} `;
  return phrases.filter((phrase) => phrase !== "" && line.includes(` ${phrase} `));
}
