import { decode } from "next-auth/jwt";
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

/** Cookie of the session. `__Secure-` needs https, which PUBLIC_URL decides (design §2). */
export function sessionCookieName(): string {
  return env().PUBLIC_URL?.startsWith("https://")
    ? "__Secure-next-auth.session-token"
    : "next-auth.session-token";
}

/**
 * The member a session token belongs to, or null: not ours, expired, the member disabled, or signed out
 * everywhere since (session_version). Asked on every request, so a disabled member is out at once.
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

/** The session token in a `Cookie` header. */
export function sessionTokenOf(cookieHeader: string | null): string | undefined {
  const name = `${sessionCookieName()}=`;
  for (const part of cookieHeader?.split(";") ?? []) {
    const pair = part.trim();
    // A token is base64url and dots; anything else is not ours, and decoding it could throw.
    if (pair.startsWith(name)) return pair.slice(name.length);
  }
  return undefined;
}
