import { normaliseUnicode } from "#lib/unicode-text.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import lists from "naughty-words";

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** NFKC, lower case, Unicode word boundaries (also for Japanese and Thai). */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(normaliseUnicode(text, "NFKC").toLowerCase())) {
    if (isWordLike) words.push(segment);
  }
  return words;
}

/** Characters of a text that are checked; posts have at most a few thousand. */
export const MAX_CHECKED = 10_000;

/** Words of a post that entries of the list are compared with. */
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
 * Whole words only; phrases are literal.
 *
 * @param phrases from `foldWord`
 */
export function phrasesIn(textWords: readonly string[], phrases: readonly string[]): string[] {
  const line = ` ${textWords.join(" ")} `;
  return phrases.filter((phrase) => phrase !== "" && line.includes(` ${phrase} `));
}

const sets = new Map<string, ReadonlySet<string>>();

/** Single words only; most words of phrases are listed too. */
function setOf(language: string): ReadonlySet<string> {
  let set = sets.get(language);
  if (set === undefined) {
    const list = Object.hasOwn(lists, language) ? lists[language] : undefined;
    set = new Set((list ?? []).filter((word) => !/\s/.test(word)).map((word) => word.toLowerCase()));
    // Cache only languages that have a list: the language comes from untrusted input.
    if (list !== undefined) sets.set(language, set);
  }
  return set;
}

/**
 * Distinct strong words in the post's language and in English. The lists match one ordinary post in eleven.
 *
 * @param language BCP 47
 */
export function countStrongWords(words: readonly string[], language: string | null): number {
  const own = setOf((language ?? "en").toLowerCase().split("-")[0] ?? "en");
  const english = setOf("en");
  return new Set(words.filter((word) => own.has(word) || english.has(word))).size;
}
