const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/**
 * The words of a text, as they are compared: NFKC, lower case, cut at word boundaries, so that Japanese and Thai
 * have words too.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text.normalize("NFKC").toLowerCase())) {
    if (isWordLike) words.push(segment);
  }
  return words;
}

/** A word or phrase of the operator's list in the form it is stored and compared in; "" when nothing is left of it. */
export function foldWord(word: string): string {
  return wordsOf(word).join(" ");
}

/**
 * Which of the phrases stand in the text, as whole words in this order. No patterns: what an operator types is what
 * is looked for.
 * @param phrases folded by `foldWord`
 */
export function phrasesIn(textWords: readonly string[], phrases: readonly string[]): string[] {
  const line = ` ${textWords.join(" ")} `;
  return phrases.filter((phrase) => phrase !== "" && line.includes(` ${phrase} `));
}
