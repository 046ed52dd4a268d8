import { db } from "#lib/db.ts";
import type { MemberRow } from "./sql.ts";

/** What a session is made of. */
export type SignedIn = { id: number; name: string; email: string; session_version: number };

/** Why a sign-in was turned away: the `error` of the sign-in page, so every code has words there. */
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

/** Notes the sign-in; out: what the session is made of. */
export async function signedIn(member: MemberRow): Promise<SignedIn> {
  await db.member.update({ where: { id: member.id }, data: { last_sign_in_at: new Date() } });
  return { id: member.id, name: member.name, email: member.email, session_version: member.session_version };
}
