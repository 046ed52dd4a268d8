/** Removes case, accents and punctuation. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * 0 for no match, higher is better. Every typed word must begin a word of the command.
 *
 * @param also further search words
 */
export function match(typed: string, name: string, also = ""): number {
  const asked = fold(typed).split(/\s+/).filter(Boolean);
  if (asked.length === 0) return 1;
  const own = fold(name);
  const wordsOf = (text: string) => text.split(/[\s/#@.-]+/).filter(Boolean);
  const all = [...wordsOf(own), ...wordsOf(fold(also))];
  const bare = asked.map((word) => word.replace(/^[#@]/, ""));
  if (!bare.every((word) => all.some((each) => each.startsWith(word)))) return 0;
  if (own.startsWith(asked[0] ?? "")) return 3;
  return wordsOf(own).some((word) => word.startsWith(bare[0] ?? "")) ? 2 : 1;
}
