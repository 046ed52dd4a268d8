import { isPassword } from "./password.ts";
import { isGuessable } from "./password-strength.ts";

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
