import { createHash } from "node:crypto";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { noteKeyUse } from "./note-key-use.ts";
import { roleGrants, scopesOf, type Role, type Scope } from "./permissions.ts";
import type { InlineCaller, Principal } from "./principal.ts";
import { memberOfToken, sessionTokenOf, type SessionMember } from "./read-session.ts";

/** SHA-256 of a key: what is stored and looked up. */
export function hashKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(key, "utf8").digest());
}

/** The key a request carries, in `X-API-Key` or as a bearer token; null when there is none. */
export function keyOf(headers: Headers): string | null {
  const key = headers.get("x-api-key");
  if (key !== null) return key;
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "");
  return bearer?.[1] ?? null;
}

/**
 * Who is calling: a key or a session. Throws 401 `missing_key` or `invalid_key`, and 403 `cross_site` when a
 * session would change something at another site's request.
 */
export async function authenticate(request: Request, changes: boolean): Promise<Principal> {
  const key = keyOf(request.headers);
  if (key !== null) return principalOfKey(key);
  const member = await memberOfRequest(request, changes);
  return principalOfMember(member);
}

/** The same for operations that check the key inside their own database call. */
export async function authenticateInline(request: Request, scope: Scope): Promise<InlineCaller> {
  const key = keyOf(request.headers);
  if (key !== null) return { key_hash: hashKey(key), member_id: null, label: null };
  const member = await memberOfRequest(request, true);
  if (!roleGrants(member.role, scope)) throw new ApiError("role_forbidden");
  return { key_hash: null, member_id: member.id, label: member.name };
}

/** Throws 403 unless the principal may use the scope. */
export function authorise(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw principal.kind === "key" ? new ApiError("scope_missing", { scope }) : new ApiError("role_forbidden");
}

export function principalOfMember(member: SessionMember): Principal {
  return {
    kind: "member",
    member_id: member.id,
    role: member.role,
    scopes: scopesOf(member.role),
    key_id: null,
    stream_ids: null,
    label: member.name,
    source: "screen",
  };
}

async function principalOfKey(key: string): Promise<Principal> {
  const row = await db.api_key.findUnique({
    where: { key_hash: hashKey(key) },
    select: {
      id: true,
      name: true,
      scopes: true,
      stream_ids: true,
      expires_at: true,
      revoked_at: true,
      last_used_at: true,
      creator: { select: { id: true, role: true, disabled_at: true } },
    },
  });
  // Expiry is read by this process's clock here and by the database's in the queue; a second apart at most.
  const dead =
    !row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at.getTime() <= Date.now());
  if (dead || row.creator.disabled_at !== null) throw new ApiError("invalid_key");
  noteKeyUse(row.id, row.last_used_at);
  const role = row.creator.role as Role;
  return {
    kind: "key",
    member_id: row.creator.id,
    role,
    scopes: scopesOf(role).filter((scope) => row.scopes.includes(scope)),
    key_id: row.id,
    stream_ids: row.stream_ids.length > 0 ? row.stream_ids : null,
    label: row.name,
    source: "api",
  };
}

async function memberOfRequest(request: Request, changes: boolean): Promise<SessionMember> {
  const member = await memberOfToken(sessionTokenOf(request.headers.get("cookie")));
  if (!member) throw new ApiError("missing_key");
  if (changes && !isSameOrigin(request)) throw new ApiError("cross_site");
  return member;
}

/**
 * Contract §7: a write with a session needs `Sec-Fetch-Site: same-origin` or a matching `Origin`. It matches
 * PUBLIC_URL's, or the host that was asked: a browser writes both headers itself, so a page of another site
 * cannot make them agree, and a server that listens on all addresses is reached by more than one name.
 */
export function isSameOrigin(request: Request): boolean {
  if (request.headers.get("sec-fetch-site") === "same-origin") return true;
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const ours = new URL(env().PUBLIC_URL);
  if (origin === ours.origin) return true;
  // Not from http to https: whoever controls the plain connection could write that page.
  const { protocol, host } = new URL(origin);
  return host === request.headers.get("host") && (protocol === "https:" || ours.protocol === "http:");
}
