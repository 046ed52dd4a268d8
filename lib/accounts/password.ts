import { hash, verify } from "@node-rs/argon2";

/*
 * argon2id with the package's defaults, OWASP's first choice
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */

/** A hash to compare with for an unknown address, so that it takes as long as a known one. */
let decoy: Promise<string> | undefined;

/** Hash of a password, with its parameters and salt. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password));
}

/** Whether a password has this hash. Without a hash it takes the same time and is false. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, canonical(password));
  decoy ??= hash(crypto.randomUUID());
  await verify(await decoy, canonical(password));
  return false;
}

/** One form of characters that keyboards compose differently, such as é (NIST SP 800-63B §3.1.1.2). */
function canonical(password: string): string {
  return password.normalize("NFKC");
}

/**
 * Why a new password is refused, or null.
 *
 * @param stored hash of the present password
 */
export async function passwordProblem(
  password: string,
  person: { email?: string | undefined; name?: string | undefined },
  stored: string | null,
): Promise<"guessable" | "unchanged" | null> {
  const own = [person.email, person.name].filter((text) => text !== undefined);
  if (await isGuessable(password, own)) return "guessable";
  if (stored !== null && (await isPassword(stored, password))) return "unchanged";
  return null;
}

export const passwordProblemTexts = {
  guessable: "is too easy to guess: choose a longer one, such as a sentence of your own",
  unchanged: "must differ from the present one",
} as const;

/** Characters that are estimated, because the time grows with the length. */
const MAX_ESTIMATED = 40;
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
async function isGuessable(password: string, own: string[]): Promise<boolean> {
  check ??= load();
  const estimate = await check.catch((error: unknown) => {
    check = undefined;
    throw error;
  });
  const words = own.flatMap((text) => [text, ...text.split(/[\s@._-]+/)]).filter((word) => word.length > 2);
  return estimate(password.slice(0, MAX_ESTIMATED), ["sluice", ...words]).score < MIN_SCORE;
}

/** Imports the estimator when it is first needed: its lists take 16 MB of memory. */
async function load(): Promise<Check> {
  const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, l33tMaxSubstitutions: 20 });
  return (password, words) => zxcvbn.check(password, words);
}
