import { randomBytes } from "node:crypto";
import { toIso } from "#lib/base/clock.ts";
import { db, type Prisma, type Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { scopes as allScopes, type Scope } from "#lib/base/http/permissions.ts";
import { ownerFor, type Actor, type Owner, type Principal } from "#lib/base/http/principal.ts";
import { hashKey } from "./api-key.ts";
import type { ApiKey, GeneratedKey, KeyGenerate, KeyStatus, Revoked } from "./key-schema.ts";
import { recordAudit } from "./record-audit.ts";

const PREFIX = "slc_";
/** A key that has not asked for so long is silent. */
const SILENT_MS = 2 * 86_400_000;

const include = { creator: { select: { name: true, disabled_at: true } } } as const;
type KeyRow = Prisma.api_keyGetPayload<{ include: typeof include }>;

/** Keys, newest first, without revoked ones. @param owner null for the keys of all members */
function keyRows(tx: Tx, owner: number | null): Promise<KeyRow[]> {
  const where = { revoked_at: null, ...(owner === null ? {} : { created_by: owner }) };
  return tx.api_key.findMany({ where, include, orderBy: { id: "desc" } });
}

function isActive({ creator, expires_at }: KeyRow): boolean {
  return creator.disabled_at === null && (expires_at === null || expires_at.getTime() > Date.now());
}

function serializeKey({ key_hash: _hash, revoked_at: _revoked, creator, ...row }: KeyRow): ApiKey {
  return {
    ...row,
    scopes: row.scopes as Scope[],
    created_by: creator.name,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    last_used_at: toIso(row.last_used_at),
    last_asked_at: toIso(row.last_asked_at),
  };
}

/**
 * Makes a key for the caller's member. The key is shown only here. A key cannot make one with more scopes or a later expiry
 * than its own.
 *
 * @throws scope_missing, role_forbidden, validation
 */
export async function generateKey(principal: Principal, values: KeyGenerate): Promise<GeneratedKey> {
  const key = PREFIX + randomBytes(32).toString("base64url");
  const data = {
    name: values.name ?? "API key",
    prefix: PREFIX,
    last_characters: key.slice(-4),
    scopes: chosenScopes(principal, values.scopes),
    stream_ids: await knownStreams(values.stream_ids ?? []),
    expires_at: await chosenExpiry(principal, values.expires_at ?? null),
    key_hash: hashKey(key),
    created_by: principal.member_id,
  };
  const row = await db.$transaction(async (tx) => {
    const made = await tx.api_key.create({ data, include });
    const { id, scopes, stream_ids, expires_at } = made;
    await recordAudit(tx, principal, {
      action: "key.generate",
      subject: keyLabel(made),
      after: { id, scopes, stream_ids, expires_at: toIso(expires_at) },
    });
    return made;
  });
  return { ...serializeKey(row), api_key: key };
}

function chosenScopes(principal: Principal, wanted: Scope[] | undefined): Scope[] {
  if (wanted === undefined) {
    const scopes = principal.scopes.filter((scope) => scope !== "keys");
    if (scopes.length === 0)
      throw validationError([{ path: "scopes", message: "must name at least one scope" }]);
    return scopes;
  }
  const missing = wanted.find((scope) => !principal.scopes.includes(scope));
  if (missing !== undefined) {
    throw principal.kind === "key"
      ? new ApiError("scope_missing", { scope: missing })
      : new ApiError("role_forbidden");
  }
  return allScopes.filter((scope) => wanted.includes(scope));
}

async function knownStreams(wanted: number[]): Promise<number[]> {
  const found = await db.stream.findMany({
    where: { id: { in: wanted } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  const known = found.map(({ id }) => id);
  const unknown = wanted.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw validationError([{ path: "stream_ids", message: `Stream ${unknown} not found` }]);
  return known;
}

async function chosenExpiry({ key_id: id }: Principal, wanted: Date | null): Promise<Date | null> {
  const refuse = (message: string) => validationError([{ path: "expires_at", message }]);
  if (wanted !== null && wanted.getTime() <= Date.now()) throw refuse("must be in the future");
  const key = id === null ? null : await db.api_key.findUnique({ where: { id } });
  const own = key?.expires_at ?? null;
  if (own !== null && wanted !== null && wanted > own) throw refuse(`must not be later than ${toIso(own)}`);
  return wanted ?? own;
}

/** The keys that the caller may see: own ones, with `manage` those of all members. */
export async function keyStatus(principal: Owner): Promise<KeyStatus> {
  const rows = await keyRows(db, ownerFor(principal));
  const active = rows.filter(isActive).length;
  const message =
    active === 0 ? "No active API key" : active === 1 ? "1 active API key" : `${active} active API keys`;
  return { api_key_set: active > 0, message, keys: rows.map(serializeKey) };
}

/**
 * Revokes a key. It is refused from the next request on.
 *
 * @param id undefined: the only active key that the caller may see
 * @throws api_key_not_found (also for a key that was revoked before), several_keys
 */
export async function revokeKey(principal: Principal, id: number | undefined): Promise<Revoked> {
  const owner = ownerFor(principal);
  return db.$transaction(async (tx) => {
    const rows = await keyRows(tx, owner);
    const active = rows.filter(isActive);
    if (id === undefined && active.length > 1) throw new ApiError("several_keys");
    const target = id ?? active[0]?.id ?? 0;
    const [revoked] = rows.some((row) => row.id === target)
      ? await revoke(tx, principal, { id: target })
      : [];
    if (revoked === undefined) throw new ApiError("api_key_not_found");
    return { revoked: 1, api_key_set: active.some((row) => row.id !== target) };
  });
}

/** Revokes all keys of a member. */
export async function revokeKeysOf(tx: Tx, actor: Actor, memberId: number): Promise<void> {
  await revoke(tx, actor, { created_by: memberId });
}

async function revoke(tx: Tx, actor: Actor, which: { id: number } | { created_by: number }) {
  const rows = await tx.api_key.updateManyAndReturn({
    where: { ...which, revoked_at: null },
    data: { revoked_at: new Date() },
  });
  for (const row of rows)
    await recordAudit(tx, actor, { action: "key.revoke", subject: keyLabel(row), before: { id: row.id } });
  return rows;
}

/** Number of active keys that act for the member. */
export async function countKeysOf(memberId: number): Promise<number> {
  return (await keyRows(db, memberId)).filter(isActive).length;
}

export type SilentKey = Pick<ApiKey, "id" | "name" | "last_characters">;

/** Active keys among `ids` whose last `GET /curated/next` is more than two days ago, lowest id first. */
export async function listSilentKeys(ids: readonly number[]): Promise<SilentKey[]> {
  const last = Date.now() - SILENT_MS;
  return (await keyRows(db, null))
    .filter((row) => ids.includes(row.id) && isActive(row) && (row.last_asked_at?.getTime() ?? last) < last)
    .map(({ id, name, last_characters }) => ({ id, name, last_characters }))
    .reverse();
}

function keyLabel(key: { name: string; last_characters: string }): string {
  return `${key.name} (…${key.last_characters})`;
}
