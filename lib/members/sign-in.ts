import { isPassword } from "#lib/auth/password.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { slowDown } from "#lib/auth/sign-in-throttle.ts";
import { db } from "#lib/db.ts";
import { Email } from "./schema.ts";
import { memberByEmail, type MemberRow } from "./sql.ts";

/** Characters read of an e-mail or a password. */
const MAX_INPUT = 1024;

export type SignedIn = { id: number; name: string; email: string; session_version: number };

/** The `error` parameter of the sign-in page, which has a text for each. */
export type RefusalCode =
  | "CredentialsSignin"
  | "TooManyAttempts"
  | "Unavailable"
  | "LinkNotValid"
  | "InvalidInput"
  | "MemberExists"
  | "NotInvited"
  | "EmailNotVerified"
  | "NotAllowedYet"
  | "Disabled";

export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly code: RefusalCode;
  constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }
}

export async function recordSignIn(member: MemberRow): Promise<SignedIn> {
  await db.member.update({ where: { id: member.id }, data: { last_sign_in_at: new Date() } });
  return { id: member.id, name: member.name, email: member.email, session_version: member.session_version };
}

export function actorOf(member: MemberRow): Actor {
  return { label: member.name, member_id: member.id, key_id: null, source: "screen" };
}

/**
 * An unknown address, a disabled member and a wrong password take the same time and get the same answer.
 *
 * @param given as typed
 * @param address see clientAddress
 * @throws SignInRefused `CredentialsSignin`, `TooManyAttempts`
 */
export async function verifyCredentials(
  given: { email: string; password: string },
  address: string | null,
): Promise<SignedIn> {
  const attempt = await slowDown(given.email.slice(0, MAX_INPUT), address);
  if (attempt.refused) throw new SignInRefused("TooManyAttempts");
  const email = Email.safeParse(given.email);
  const member = email.success ? await memberByEmail(db, email.data) : null;
  const right = await isPassword(member?.password_hash ?? null, given.password.slice(0, MAX_INPUT));
  if (member === null || member.disabled_at !== null || !right) throw new SignInRefused("CredentialsSignin");
  await attempt.succeeded();
  return recordSignIn(member);
}
