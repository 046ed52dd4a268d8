import { hash, verify } from "@node-rs/argon2";

/*
 * argon2id with 19 MiB, 2 passes, 1 lane: the package's defaults and OWASP's first choice
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */

/** Made of a random password nobody knows, so that unknown addresses cost what known ones do. */
let decoy: Promise<string> | undefined;

/** The hash to store. In: a password that passed the rules. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password));
}

/**
 * Whether a password is the one behind a stored hash. Takes the same time without a hash (no such account, or
 * one without a password) and is false then.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, canonical(password));
  decoy ??= hash(crypto.randomUUID());
  await verify(await decoy, canonical(password));
  return false;
}

/** Keyboards differ in how they compose an é; NIST SP 800-63B §3.1.1.2 asks for one form. */
function canonical(password: string): string {
  return password.normalize("NFKC");
}
