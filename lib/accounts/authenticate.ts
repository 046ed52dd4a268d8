import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { roleGrants, scopesOf, type Scope } from "#lib/base/http/permissions.ts";
import type { InlineCaller, Principal } from "#lib/base/http/principal.ts";
import { activeKey, hashKey, keyOf, noteKeyUse } from "./api-key.ts";
import { memberOfToken, sessionTokenOf, type SessionMember } from "./session.ts";

/**
 * The caller, by API key or session.
 *
 * @param changes the request changes something: with a session it must come from the same origin
 * @throws missing_key, invalid_key, cross_site
 */
export async function authenticate(request: Request, changes: boolean): Promise<Principal> {
  const key = keyOf(request.headers);
  if (key !== null) return principalOfKey(key);
  const member = await memberOfRequest(request, changes);
  return principalOfMember(member, member.session_id);
}

/**
 * The caller of an operation that checks the key in its own database call. A session is checked here.
 *
 * @throws missing_key, cross_site, role_forbidden
 */
export async function authenticateInline(request: Request, scope: Scope): Promise<InlineCaller> {
  const key = keyOf(request.headers);
  if (key !== null) return { key_hash: hashKey(key), member_id: null, label: null };
  const member = await memberOfRequest(request, true);
  if (!roleGrants(member.role, scope)) throw new ApiError("role_forbidden");
  return { key_hash: null, member_id: member.id, label: member.name };
}

/**
 * Checks that the caller has a scope.
 *
 * @throws scope_missing for a key, role_forbidden for a member
 */
export function authorise(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  throw principal.kind === "key" ? new ApiError("scope_missing", { scope }) : new ApiError("role_forbidden");
}

/** The caller of a session, with the scopes of the member's role. */
export function principalOfMember(
  member: Pick<SessionMember, "id" | "role" | "name">,
  sessionId: string | null,
): Principal {
  return {
    kind: "member",
    member_id: member.id,
    scopes: scopesOf(member.role),
    key_id: null,
    session_id: sessionId,
    label: member.name,
    source: "screen",
  };
}

async function principalOfKey(key: string): Promise<Principal> {
  const row = await activeKey(hashKey(key));
  if (row === null) throw new ApiError("invalid_key");
  noteKeyUse(row.id);
  return {
    kind: "key",
    member_id: row.member_id,
    scopes: scopesOf(row.role).filter((scope) => row.scopes.includes(scope)),
    key_id: row.id,
    session_id: null,
    label: row.name,
    source: "api",
  };
}

async function memberOfRequest(request: Request, changes: boolean): Promise<SessionMember> {
  const member = await memberOfToken(sessionTokenOf(request.headers.get("cookie")), request.headers);
  if (!member) throw new ApiError("missing_key");
  if (changes && !isSameOrigin(request)) throw new ApiError("cross_site");
  return member;
}

/**
 * Whether a request comes from a page of this service: `Sec-Fetch-Site: same-origin`, or an `Origin` that is PUBLIC_URL's or has
 * the host of the request, because a server may have several host names. Browsers set both headers themselves
 * (docs/api.md#authentication).
 */
export function isSameOrigin(request: Pick<Request, "headers">): boolean {
  if (request.headers.get("sec-fetch-site") === "same-origin") return true;
  const origin = request.headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  const ours = new URL(env().PUBLIC_URL);
  if (origin === ours.origin) return true;
  // An http page must not act on an https installation: it may have been changed on the network.
  const { protocol, host } = new URL(origin);
  return host === request.headers.get("host") && (protocol === "https:" || ours.protocol === "http:");
}
