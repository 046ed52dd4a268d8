import { hash, verify } from "@node-rs/argon2";

/*
 * argon2id with 19 MiB, 2 passes, 1 lane: the package's defaults and OWASP's first choice
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */

/** Hash of a random password: checking an unknown address takes as long as a known one. */
let decoy: Promise<string> | undefined;

/** Hash to store of a valid password. */
export function hashPassword(password: string): Promise<string> {
  return hash(canonical(password));
}

/**
 * Whether a password matches a stored hash. Without a hash (unknown account, or account without a password) it takes the
 * same time and returns false.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (stored !== null) return verify(stored, canonical(password));
  decoy ??= hash(crypto.randomUUID());
  await verify(await decoy, canonical(password));
  return false;
}

/** Keyboards compose characters such as é differently; NIST SP 800-63B §3.1.1.2 asks for one form. */
function canonical(password: string): string {
  return password.normalize("NFKC");
}
