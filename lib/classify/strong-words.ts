import lists from "naughty-words";

const sets = new Map<string, ReadonlySet<string>>();

/** The single words of one language's list; phrases are left out, mostly their words are on it too. */
function setOf(language: string): ReadonlySet<string> {
  let set = sets.get(language);
  if (set === undefined) {
    const list = Object.hasOwn(lists, language) ? lists[language] : undefined;
    set = new Set((list ?? []).filter((word) => !/\s/.test(word)).map((word) => word.toLowerCase()));
    // Languages come from strangers: remember only those that have a list.
    if (list !== undefined) sets.set(language, set);
  }
  return set;
}

/**
 * How many different strong words a text has, in its own language and in English (which people swear in everywhere).
 * A hint and never a verdict: such lists meet about one ordinary post in eleven.
 * @param words of `wordsOf`
 * @param language BCP 47, null when the source says nothing
 */
export function countStrongWords(words: readonly string[], language: string | null): number {
  const own = setOf((language ?? "en").toLowerCase().split("-")[0] ?? "en");
  const english = setOf("en");
  return new Set(words.filter((word) => own.has(word) || english.has(word))).size;
}
