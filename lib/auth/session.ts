import { decode, encode } from "next-auth/jwt";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import type { Role } from "./permissions.ts";

export interface SessionMember {
  id: number;
  email: string;
  name: string;
  role: Role;
  preferences: Record<string, unknown>;
}

/** Browsers accept the prefix `__Secure-` over https only. */
export function sessionCookieName(): string {
  return env().PUBLIC_URL?.startsWith("https://")
    ? "__Secure-next-auth.session-token"
    : "next-auth.session-token";
}

/**
 * Null when the token is invalid or expired, the member is disabled, or session_version has changed. Read on every
 * request, so that disabling a member takes effect at once.
 */
export async function memberOfToken(token: string | undefined): Promise<SessionMember | null> {
  const secret = env().AUTH_SECRET;
  if (!token || !secret) return null;
  const payload = await decode({ token, secret }).catch(() => null);
  const id = Number(payload?.sub);
  if (!payload || !Number.isInteger(id)) return null;
  const member = await db.member.findUnique({
    where: { id },
    select: {
      id: true,
      email: true,
      name: true,
      role: true,
      preferences: true,
      session_version: true,
      disabled_at: true,
    },
  });
  if (!member || member.disabled_at !== null || member.session_version !== payload.session_version)
    return null;
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role as Role,
    preferences: member.preferences as Record<string, unknown>,
  };
}

export function sessionTokenOf(cookieHeader: string | null): string | undefined {
  const name = `${sessionCookieName()}=`;
  for (const part of cookieHeader?.split(";") ?? []) {
    const pair = part.trim();
    // Not decoded: a token is base64url and dots, and decoding any other value could throw.
    if (pair.startsWith(name)) return pair.slice(name.length);
  }
  return undefined;
}

/** Seconds. */
export const SESSION_AGE = 30 * 24 * 60 * 60;

export type SessionClaims = { sub: string; session_version: number };

/** `Set-Cookie` in next-auth's format, for the session that continues after a change of the password. */
export async function freshSessionCookie(member: { id: number; session_version: number }): Promise<string> {
  const secret = env().AUTH_SECRET;
  if (secret === undefined) throw new Error("AUTH_SECRET is not set");
  const claims: SessionClaims = { sub: String(member.id), session_version: member.session_version };
  const token = await encode({ token: claims, secret, maxAge: SESSION_AGE });
  const secure = sessionCookieName().startsWith("__Secure-") ? "; Secure" : "";
  return `${sessionCookieName()}=${token}; Max-Age=${SESSION_AGE}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
