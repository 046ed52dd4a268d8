import { decode, encode } from "next-auth/jwt";
import { env } from "#lib/base/env.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import type { HeaderReader } from "./client-info.ts";
import { noteSessionUse, sessionRow } from "./session-store.ts";

export interface SessionMember {
  id: number;
  email: string;
  name: string;
  role: Role;
  preferences: Record<string, unknown>;
  session_id: string;
}

/** Browsers accept the prefix `__Secure-` over https only. */
export function sessionCookieName(): string {
  return env().PUBLIC_URL?.startsWith("https://")
    ? "__Secure-next-auth.session-token"
    : "next-auth.session-token";
}

/**
 * Reads the session on every request, so that its end and a disabled member take effect at once.
 *
 * @param headers of the request, for the list of sessions
 * @returns null if the token is invalid or expired, its session was ended, or the member is disabled
 */
export async function memberOfToken(
  token: string | undefined,
  headers: HeaderReader,
): Promise<SessionMember | null> {
  const claims = await claimsOf(token);
  const row = claims === null ? null : await sessionRow(claims.sid, Number(claims.sub));
  if (claims === null || row === null) return null;
  const { stale_use: isStale, ...member } = row;
  if (isStale) noteSessionUse(claims.sid, headers);
  return { ...member, session_id: claims.sid };
}

export type SessionClaims = { sub: string; sid: string };

/** Reads a token of ours that has not expired; its session may have ended. */
export async function claimsOf(token: string | undefined): Promise<SessionClaims | null> {
  const secret = env().AUTH_SECRET;
  if (!token || !secret) return null;
  const payload = await decode({ token, secret }).catch(() => null);
  const { sub, sid } = payload ?? {};
  return typeof sub === "string" && /^\d+$/.test(sub) && typeof sid === "string" ? { sub, sid } : null;
}

export function sessionTokenOf(cookieHeader: string | null): string | undefined {
  return cookieOf(cookieHeader, sessionCookieName());
}

/** Not decoded: a token is base64url and dots, and decoding any other value could throw. */
export function cookieOf(cookieHeader: string | null, name: string): string | undefined {
  for (const part of cookieHeader?.split(";") ?? []) {
    const pair = part.trim();
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return undefined;
}

export const SESSION_AGE_SECONDS = 30 * 24 * 60 * 60;

/** `Set-Cookie` in next-auth's format, for the session that continues after a change of the password. */
export async function freshSessionCookie(memberId: number, sessionId: string): Promise<string> {
  const secret = env().AUTH_SECRET;
  if (secret === undefined) throw new Error("AUTH_SECRET is not set");
  const claims: SessionClaims = { sub: String(memberId), sid: sessionId };
  const token = await encode({ token: claims, secret, maxAge: SESSION_AGE_SECONDS });
  const secure = sessionCookieName().startsWith("__Secure-") ? "; Secure" : "";
  return `${sessionCookieName()}=${token}; Max-Age=${SESSION_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
