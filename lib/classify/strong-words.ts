import lists from "naughty-words";

const sets = new Map<string, ReadonlySet<string>>();

/**
 * The single words of one language's list. Phrases are left out, because their words are mostly listed too.
 */
function setOf(language: string): ReadonlySet<string> {
  let set = sets.get(language);
  if (set === undefined) {
    const list = Object.hasOwn(lists, language) ? lists[language] : undefined;
    set = new Set((list ?? []).filter((word) => !/\s/.test(word)).map((word) => word.toLowerCase()));
    // Language codes are foreign input: only known ones are cached.
    if (list !== undefined) sets.set(language, set);
  }
  return set;
}

/**
 * Number of different strong words of a text, in its language and English. Only a hint: such lists match
 * about one ordinary post in eleven.
 *
 * @param words of `wordsOf`
 * @param language BCP 47, or null
 */
export function countStrongWords(words: readonly string[], language: string | null): number {
  const own = setOf((language ?? "en").toLowerCase().split("-")[0] ?? "en");
  const english = setOf("en");
  return new Set(words.filter((word) => own.has(word) || english.has(word))).size;
}
