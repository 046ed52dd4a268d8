import { hash, verify } from "@node-rs/argon2";

/*
 * argon2id with the package's defaults, OWASP's first choice
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */

/** Checking an unknown address takes as long as a known one. */
let decoy: Promise<string> | undefined;

export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password));
}

/** Takes the same time without a stored hash, and returns false. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, canonical(password));
  decoy ??= hash(crypto.randomUUID());
  await verify(await decoy, canonical(password));
  return false;
}

/** Keyboards compose characters such as é differently (NIST SP 800-63B §3.1.1.2). */
function canonical(password: string): string {
  return password.normalize("NFKC");
}
