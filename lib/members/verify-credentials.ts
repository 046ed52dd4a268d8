import { isPassword } from "#lib/auth/password.ts";
import { slowDown } from "#lib/auth/slow-down.ts";
import { db } from "#lib/db.ts";
import { Email } from "./schema.ts";
import { signedIn, SignInRefused, type SignedIn } from "./signed-in.ts";
import { memberByEmail } from "./sql.ts";

/** Longer than any password can be. */
const LONGEST = 1024;

/**
 * Judges e-mail and password. An unknown address, a disabled member and a wrong password take the same time and
 * get the same answer.
 * @param given as typed
 * @param address where the request comes from, see clientAddress
 * @throws SignInRefused `CredentialsSignin`, `TooManyAttempts`
 */
export async function verifyCredentials(
  given: { email: string; password: string },
  address: string | null,
): Promise<SignedIn> {
  const attempt = await slowDown(given.email.slice(0, LONGEST), address);
  if (attempt.refused) throw new SignInRefused("TooManyAttempts");
  const email = Email.safeParse(given.email);
  const member = email.success ? await memberByEmail(db, email.data) : null;
  const right = await isPassword(member?.password_hash ?? null, given.password.slice(0, LONGEST));
  if (member === null || member.disabled_at !== null || !right) throw new SignInRefused("CredentialsSignin");
  await attempt.succeeded();
  return signedIn(member);
}
