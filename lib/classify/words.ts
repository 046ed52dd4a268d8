const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * The words of a text for comparison: NFKC, lower case, split at word boundaries, also in Japanese and Thai.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.normalize("NFKC").toLowerCase())) {
    if (isWordLike) words.push(segment);
  }
  return words;
}

/** A word or phrase in its stored form, or "" when nothing is left. */
export function foldWord(word: string): string {
  return wordsOf(word).join(" ");
}

/**
 * The phrases that occur in the text as whole words in order. Phrases are literal, never patterns.
 *
 * @param phrases folded by `foldWord`
 */
export function phrasesIn(textWords: readonly string[], phrases: readonly string[]): string[] {
  const line = ` ${textWords.join(" ")} `;
  return phrases.filter((phrase) => phrase !== "" && line.includes(` ${phrase} `));
}
