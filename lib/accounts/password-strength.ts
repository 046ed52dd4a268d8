/** Characters that are looked at: the time of the estimate grows with the length. */
const LOOKED_AT = 40;
/** zxcvbn's "safely unguessable": more than 10^8 guesses. */
const MIN_SCORE = 3;

type Check = (password: string, words: string[]) => { score: number };
let check: Promise<Check> | undefined;

/**
 * Whether a password is common, or made of repeats, sequences, rows of keys or the person's own words (NIST SP 800-63B
 * §3.1.1.2), as zxcvbn estimates it.
 *
 * @param own e-mail and name of the person
 */
export async function isGuessable(password: string, own: string[]): Promise<boolean> {
  check ??= load();
  const estimate = await check.catch((error: unknown) => {
    check = undefined;
    throw error;
  });
  const words = own.flatMap((text) => [text, ...text.split(/[\s@._-]+/)]).filter((word) => word.length > 2);
  return estimate(password.slice(0, LOOKED_AT), ["sluice", ...words]).score < MIN_SCORE;
}

/** Imported when first needed: the lists take 16 MB of memory. */
async function load(): Promise<Check> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 });
  return (password, words) => zxcvbn.check(password, words);
}
