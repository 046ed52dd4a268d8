import { randomUUID } from "node:crypto";
import { decode, encode } from "next-auth/jwt";
import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { clientInfoOf, type ClientInfo, type HeaderReader } from "./client-info.ts";
import type { Session } from "./member-schema.ts";
import { lockMember, memberLabel } from "./member-sql.ts";
import { recordAudit } from "./record-audit.ts";

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
 * The member of a session token. Reads the session on every request, so that its end and a disabled member take effect at
 * once.
 *
 * @param headers of the request, for the list of sessions
 * @returns null if the token is invalid or expired, its session was ended, or the member is disabled
 */
export async function memberOfToken(
  token: string | undefined,
  headers: HeaderReader,
): Promise<SessionMember | null> {
  const claims = await claimsOf(token);
  if (claims === null) return null;
  const [row] = await db.$queryRaw<(SessionMember & { stale_use: boolean })[]>`
    SELECT m.id, m.email, m.name, m.role, m.preferences, s.id::text AS session_id,
           s.last_used_at < now() - interval '5 minutes' AS stale_use
      FROM session s JOIN member m ON m.id = s.member_id
     WHERE s.id = ${claims.sid}::uuid AND m.id = ${Number(claims.sub)} AND m.disabled_at IS NULL`;
  if (row === undefined) return null;
  const { stale_use: isStale, ...member } = row;
  if (isStale) noteSessionUse(claims.sid, headers);
  return member;
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

/** The session token in a Cookie header. */
export function sessionTokenOf(cookieHeader: string | null): string | undefined {
  return cookieOf(cookieHeader, sessionCookieName());
}

/** The value of a cookie, not decoded: a token is base64url and dots, and decoding any other value could throw. */
export function cookieOf(cookieHeader: string | null, name: string): string | undefined {
  for (const part of cookieHeader?.split(";") ?? []) {
    const pair = part.trim();
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return undefined;
}

export const SESSION_AGE_SECONDS = 30 * 24 * 60 * 60;

/** The cookie of a session in next-auth's format, for the browser that has changed the password. */
export async function sessionCookie(memberId: number, sessionId: string) {
  const claims: SessionClaims = { sub: String(memberId), sid: sessionId };
  const value = await encode({ token: claims, secret: authSecret(), maxAge: SESSION_AGE_SECONDS });
  const name = sessionCookieName();
  return {
    name,
    value,
    maxAge: SESSION_AGE_SECONDS,
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: name.startsWith("__Secure-"),
  } as const;
}

function authSecret(): string {
  const secret = env().AUTH_SECRET;
  if (secret === undefined) throw new Error("AUTH_SECRET is not set");
  return secret;
}

/** Limit for one member. A further sign-in ends the session that was unused for longest. */
const MAX_SESSIONS = 100;
const FIVE_MINUTES_MS = 300_000;

/** Starts a session. The caller has locked the member. @returns its id */
export async function insertSession(tx: Tx, memberId: number, client: ClientInfo): Promise<string> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO session (member_id, browser, address_prefix)
    VALUES (${memberId}, ${client.browser}, ${client.address_prefix}) RETURNING id::text`;
  await tx.$executeRaw`
    DELETE FROM session WHERE id IN (
      SELECT id FROM session WHERE member_id = ${memberId}
       ORDER BY last_used_at DESC, id OFFSET ${MAX_SESSIONS}::int)`;
  return (rows[0] as { id: string }).id;
}

/** Ends a session of a member. @returns 1, or 0 for an unknown one */
export async function deleteSession(tx: Tx, id: string, memberId: number): Promise<number> {
  return tx.$executeRaw`DELETE FROM session WHERE id::text = ${id} AND member_id = ${memberId}`;
}

const noted = new Map<string, number>();

/** Stores the use of a session, at most every five minutes in each process. Not awaited, so that requests stay fast. */
function noteSessionUse(sessionId: string, headers: HeaderReader): void {
  const now = Date.now();
  if (now - (noted.get(sessionId) ?? 0) < FIVE_MINUTES_MS) return;
  for (const [id, at] of noted) if (now - at >= FIVE_MINUTES_MS) noted.delete(id);
  noted.set(sessionId, now);
  const { browser, address_prefix: prefix } = clientInfoOf(headers);
  db.$executeRaw`
    UPDATE session SET last_used_at = now(), browser = ${browser}, address_prefix = ${prefix}
     WHERE id = ${sessionId}::uuid AND last_used_at < now() - interval '5 minutes'`.catch((error: unknown) =>
    log.warn({ err: error }, "last use of session not stored"),
  );
}

/** Sessions of a member whose tokens may still be valid, last used first. */
export async function listSessions(memberId: number, currentId: string | null): Promise<Session[]> {
  const rows = await db.session.findMany({
    where: { member_id: memberId, last_used_at: { gt: new Date(Date.now() - SESSION_AGE_SECONDS * 1000) } },
    orderBy: [{ last_used_at: "desc" }, { id: "asc" }],
  });
  return rows.map(({ member_id: _member, created_at, last_used_at, ...row }) => ({
    ...row,
    current: row.id === currentId,
    created_at: toIso(created_at),
    last_used_at: toIso(last_used_at),
  }));
}

/**
 * Ends a session of the member; its token is refused from the next request on.
 *
 * @throws session_not_found
 */
export async function endSession(actor: Actor & { member_id: number }, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const member = await lockMember(tx, actor.member_id);
    if (member === null || (await deleteSession(tx, id, member.id)) === 0) {
      throw new ApiError("session_not_found");
    }
    await recordAudit(tx, actor, { action: "member.session_end", subject: memberLabel(member) });
  });
}

/**
 * Ends all sessions of a member. Raises the version, so that a sign-in that read the member before is refused.
 *
 * @returns the new version
 */
export async function endSessions(tx: Tx, id: number): Promise<number> {
  const { session_version } = await tx.member.update({
    where: { id },
    data: { session_version: { increment: 1 }, updated_at: new Date() },
    select: { session_version: true },
  });
  await tx.session.deleteMany({ where: { member_id: id } });
  return session_version;
}

/*
 * A cookie of browsers that have signed in before, as in OWASP's "Slow Down Online Guessing Attacks with Device
 * Cookies" (docs/decisions/0016-sign-in-throttling.md). It opens nothing: attempts with it are counted apart, so that
 * strangers cannot delay or refuse the owner of an account.
 */

const BROWSER_AGE_SECONDS = 365 * 24 * 60 * 60;
/** Separates the key of this cookie from that of session tokens. */
const SALT = "known browser";

function browserCookieName(): string {
  return sessionCookieName().startsWith("__Secure-")
    ? "__Secure-sluice.known-browser"
    : "sluice.known-browser";
}

/**
 * `Set-Cookie` after a sign-in. Each one is new, so that a stolen one becomes worthless.
 *
 * @param account see accountHash
 */
export async function knownBrowserCookie(account: string): Promise<string> {
  const token = await encode({
    token: { account, browser: randomUUID() },
    secret: authSecret(),
    maxAge: BROWSER_AGE_SECONDS,
    salt: SALT,
  });
  const secure = browserCookieName().startsWith("__Secure-") ? "; Secure" : "";
  return `${browserCookieName()}=${token}; Max-Age=${BROWSER_AGE_SECONDS}; Path=/api/auth; HttpOnly; SameSite=Strict${secure}`;
}

/** Id of the browser when it has signed in to this account before. */
export async function knownBrowserOf(cookieHeader: string | null, account: string): Promise<string | null> {
  const secret = env().AUTH_SECRET;
  const token = cookieOf(cookieHeader, browserCookieName());
  if (!token || !secret) return null;
  const claims = await decode({ token, secret, salt: SALT }).catch(() => null);
  return claims?.account === account && typeof claims.browser === "string" ? claims.browser : null;
}
