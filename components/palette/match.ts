/** How texts are compared: letter case, accents and signs do not matter. */
export function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * How well a thing answers what was typed: 0 not at all, else the higher the better. Every word typed has to begin a
 * word of it; a name that begins with the first word comes before one that only has it somewhere.
 * @param name what the thing is called
 * @param also other words for it
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

/** Whether what was typed is an address or an account, to be looked up and not searched for. */
export function isAddress(typed: string): boolean {
  const text = typed.trim();
  return /^https?:\/\/\S+$/i.test(text) || /^(acct:)?@?[^\s@/]+@[^\s@/]+\.?[^\s@/]*$/i.test(text);
}
