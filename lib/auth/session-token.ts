import { encode } from "next-auth/jwt";
import { env } from "#lib/env.ts";
import { sessionCookieName } from "./read-session.ts";

/** A session ends after 30 days; `session_version` ends it earlier. In seconds. */
export const SESSION_AGE = 30 * 24 * 60 * 60;

/** What a session token says: who, and of which generation of sessions. */
export type SessionClaims = { sub: string; session_version: number };

/**
 * The `Set-Cookie` of a fresh session, as next-auth writes it: for the one session that goes on when a member
 * ends all others by changing the password.
 */
export async function freshSessionCookie(member: { id: number; session_version: number }): Promise<string> {
  const secret = env().AUTH_SECRET;
  if (secret === undefined) throw new Error("AUTH_SECRET is not set");
  const claims: SessionClaims = { sub: String(member.id), session_version: member.session_version };
  const token = await encode({ token: claims, secret, maxAge: SESSION_AGE });
  const secure = sessionCookieName().startsWith("__Secure-") ? "; Secure" : "";
  return `${sessionCookieName()}=${token}; Max-Age=${SESSION_AGE}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
