import { db } from "#lib/base/db.ts";
import { isPassword } from "./password.ts";
import { clientInfoOf, type ClientInfo } from "./client-info.ts";
import { insertSession, knownBrowserOf } from "./session.ts";
import { accountHash, clientAddress, noteFailedSignIn, slowDown } from "./sign-in-throttle.ts";
import { Email } from "./member-schema.ts";
import { memberByEmail, type MemberRow } from "./member-sql.ts";

/** Characters read of an e-mail or a password. */
const MAX_INPUT = 1024;

export type SignedIn = { id: number; name: string; email: string; session_id: string };

/** Parameter `error` of the sign-in page, which has a text for each value. */
export type RefusalCode =
  | "CredentialsSignin"
  | "TooManyAttempts"
  | "Unavailable"
  | "LinkNotValid"
  | "InvalidInput"
  | "WeakPassword"
  | "SamePassword"
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

/**
 * Signs a member in: starts a session.
 *
 * @throws SignInRefused `CredentialsSignin` when the member's sessions were ended since `member` was read
 */
export async function recordSignIn(member: MemberRow, client: ClientInfo): Promise<SignedIn> {
  const { id, name, email, session_version } = member;
  return db.$transaction(async (tx) => {
    const { count } = await tx.member.updateMany({
      where: { id, session_version, disabled_at: null },
      data: { last_sign_in_at: new Date() },
    });
    if (count === 0) throw new SignInRefused("CredentialsSignin");
    return { id, name, email, session_id: await insertSession(tx, id, client) };
  });
}

/**
 * Signs in by e-mail and password. An unknown address, a disabled member and a wrong password take the same time and get the
 * same answer.
 *
 * @param given as typed
 * @throws SignInRefused `CredentialsSignin`, `TooManyAttempts`
 */
export async function verifyCredentials(
  given: { email: string; password: string },
  headers: Headers,
): Promise<SignedIn> {
  const account = accountHash(given.email.slice(0, MAX_INPUT));
  const browser = await knownBrowserOf(headers.get("cookie"), account);
  const attempt = await slowDown(account, clientAddress(headers), browser);
  if (attempt.refused) throw new SignInRefused("TooManyAttempts");
  const email = Email.safeParse(given.email);
  const member = email.success ? await memberByEmail(db, email.data) : null;
  const right = await isPassword(member?.password_hash ?? null, given.password.slice(0, MAX_INPUT));
  if (member === null || member.disabled_at !== null || !right) {
    await noteFailedSignIn({ member, way: "password", client: clientInfoOf(headers) });
    throw new SignInRefused("CredentialsSignin");
  }
  await attempt.succeeded();
  return recordSignIn(member, clientInfoOf(headers));
}
