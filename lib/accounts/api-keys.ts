import { randomBytes } from "node:crypto";
import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { scopes as allScopes, type Scope } from "#lib/base/http/permissions.ts";
import { ownerFor, type Actor, type Owner, type Principal } from "#lib/base/http/principal.ts";
import { getStream } from "#lib/collect/read-streams.ts";
import { hashKey } from "./api-key.ts";
import { recordAudit } from "./record-audit.ts";
import type { ApiKey, GeneratedKey, KeyGenerate, KeyStatus, Revoked } from "./key-schema.ts";

const PREFIX = "slc_";

/**
 * The key is shown only here. A key cannot create one with more scopes or a later expiry than its own.
 *
 * @throws ApiError `scope_missing`, `role_forbidden`, `validation`
 */
export async function generateKey(principal: Principal, values: KeyGenerate): Promise<GeneratedKey> {
  const scopes = chosenScopes(principal, values.scopes);
  const streamIds = await knownStreams(values.stream_ids ?? []);
  const expiresAt = await chosenExpiry(principal, values.expires_at ?? null);
  const key = PREFIX + randomBytes(32).toString("base64url");
  const fields = {
    name: values.name ?? "API key",
    prefix: PREFIX,
    last_characters: key.slice(-4),
    scopes,
    stream_ids: streamIds,
  };
  const row = await db.$transaction(async (tx) => {
    const stored = {
      ...fields,
      key_hash: hashKey(key),
      created_by: principal.member_id,
      expires_at: expiresAt,
    };
    const inserted = await insertKey(tx, stored);
    if (inserted === null) throw validationError([{ path: "expires_at", message: "must be in the future" }]);
    await recordAudit(tx, principal, {
      action: "key.generate",
      subject: keyLabel(fields),
      after: {
        id: inserted.id,
        scopes,
        stream_ids: streamIds,
        expires_at: toIso(expiresAt),
      },
    });
    return inserted;
  });
  const creator = await db.member.findUniqueOrThrow({
    where: { id: principal.member_id },
    select: { name: true },
  });
  return {
    id: row.id,
    ...fields,
    created_by: creator.name,
    created_at: toIso(row.created_at),
    expires_at: toIso(expiresAt),
    last_used_at: null,
    last_asked_at: null,
    api_key: key,
  };
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
  const ids = [...new Set(wanted)].sort((a, b) => a - b);
  for (const id of ids) {
    await getStream(id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      throw validationError([{ path: "stream_ids", message: error.message }]);
    });
  }
  return ids;
}

async function chosenExpiry(principal: Principal, wanted: Date | null): Promise<Date | null> {
  const own = principal.key_id === null ? null : await keyExpiry(principal.key_id);
  if (own === null) return wanted;
  if (wanted !== null && wanted > own) {
    throw validationError([{ path: "expires_at", message: `must not be later than ${toIso(own)}` }]);
  }
  return wanted ?? own;
}

/** Newest first, without revoked keys. */
export async function keyStatus(principal: Owner): Promise<KeyStatus> {
  const rows = await keyRows(ownerFor(principal));
  const active = rows.filter((row) => row.active).length;
  const message =
    active === 0 ? "No active API key" : active === 1 ? "1 active API key" : `${active} active API keys`;
  return { api_key_set: active > 0, message, keys: rows.map(serializeKey) };
}

function serializeKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last_characters: row.last_characters,
    scopes: row.scopes as Scope[],
    stream_ids: row.stream_ids,
    created_by: row.created_by,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    last_used_at: toIso(row.last_used_at),
    last_asked_at: toIso(row.last_asked_at),
  };
}

/**
 * @param id undefined: the only active key that the caller may see
 *
 * @throws ApiError `api_key_not_found` (also when revoked before), `several_keys`
 */
export async function revokeKey(principal: Principal, id: number | undefined): Promise<Revoked> {
  const owner = ownerFor(principal);
  return db.$transaction(async (tx) => {
    const target = id ?? (await onlyKey(tx, owner));
    const row = target > MAX_ID ? null : await revokeRow(tx, target, owner);
    if (row === null) throw new ApiError("api_key_not_found");
    await recordAudit(tx, principal, {
      action: "key.revoke",
      subject: keyLabel(row),
      before: { id: target },
    });
    return { revoked: 1, api_key_set: await anyActiveKey(tx, owner) };
  });
}

/** All keys of a member, after a new password. */
export async function revokeKeysOf(tx: Tx, actor: Actor, memberId: number): Promise<void> {
  for (const row of await revokeRowsOf(tx, memberId)) {
    await recordAudit(tx, actor, { action: "key.revoke", subject: keyLabel(row), before: { id: row.id } });
  }
}

/** Active keys that act for the member. */
export async function countKeysOf(memberId: number): Promise<number> {
  return (await keyRows(memberId)).filter((row) => row.active).length;
}

async function onlyKey(tx: Tx, owner: number | null): Promise<number> {
  const [first, second] = await lockActiveKeys(tx, owner);
  if (first === undefined) throw new ApiError("api_key_not_found");
  if (second !== undefined) throw new ApiError("several_keys");
  return first;
}

function keyLabel(key: { name: string; last_characters: string }): string {
  return `${key.name} (…${key.last_characters})`;
}

/*
 * `owner` null: keys of all members. An active key has not expired, by the database's clock, and its member is not
 * disabled.
 */

type KeyRow = {
  id: number;
  name: string;
  prefix: string;
  last_characters: string;
  scopes: string[];
  stream_ids: number[];
  created_by: string;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_asked_at: Date | null;
  active: boolean;
};

/** Newest first. */
async function keyRows(owner: number | null): Promise<KeyRow[]> {
  return db.$queryRaw<KeyRow[]>`
    SELECT k.id, k.name, k.prefix, k.last_characters, k.scopes, k.stream_ids, m.name AS created_by, k.created_at,
           k.expires_at, k.last_used_at, k.last_asked_at,
           m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS active
      FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
     ORDER BY k.id DESC`;
}

export type SilentKey = Pick<KeyRow, "id" | "name" | "last_characters">;

/** Active keys among `ids` whose last `GET /curated/next` is two days old. */
export async function listSilentKeys(ids: readonly number[]): Promise<SilentKey[]> {
  return db.$queryRaw<SilentKey[]>`
    SELECT k.id, k.name, k.last_characters FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.id = ANY (${ids}::int[]) AND k.last_asked_at < now() - interval '2 days'
       AND k.revoked_at IS NULL AND m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     ORDER BY k.id`;
}

/** At most two, to tell one from several. */
async function lockActiveKeys(tx: Tx, owner: number | null): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT k.id FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
       AND m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     ORDER BY k.id LIMIT 2 FOR UPDATE OF k`;
  return rows.map((row) => row.id);
}

async function anyActiveKey(tx: Tx, owner: number | null): Promise<boolean> {
  const rows = await tx.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM api_key k JOIN member m ON m.id = k.created_by
       WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
         AND m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS found`;
  return rows[0]?.found === true;
}

/** Returns the name for the log; null when there is none to revoke. */
async function revokeRow(
  tx: Tx,
  id: number,
  owner: number | null,
): Promise<{ name: string; last_characters: string } | null> {
  const rows = await tx.$queryRaw<{ name: string; last_characters: string }[]>`
    UPDATE api_key SET revoked_at = now()
     WHERE id = ${id} AND revoked_at IS NULL AND (${owner}::int IS NULL OR created_by = ${owner}::int)
    RETURNING name, last_characters`;
  return rows[0] ?? null;
}

/** Returns the names for the log. */
async function revokeRowsOf(
  tx: Tx,
  owner: number,
): Promise<{ id: number; name: string; last_characters: string }[]> {
  return tx.$queryRaw<{ id: number; name: string; last_characters: string }[]>`
    UPDATE api_key SET revoked_at = now() WHERE created_by = ${owner} AND revoked_at IS NULL
    RETURNING id, name, last_characters`;
}

type NewKey = {
  name: string;
  prefix: string;
  last_characters: string;
  key_hash: Uint8Array;
  scopes: string[];
  stream_ids: number[];
  created_by: number;
  expires_at: Date | null;
};

/** Null when the expiry is not in the future. */
async function insertKey(tx: Tx, key: NewKey): Promise<{ id: number; created_at: Date } | null> {
  const rows = await tx.$queryRaw<{ id: number; created_at: Date }[]>`
    INSERT INTO api_key (name, prefix, last_characters, key_hash, scopes, stream_ids, created_by, expires_at)
    SELECT ${key.name}::text, ${key.prefix}::text, ${key.last_characters}::text, ${key.key_hash}::bytea,
           ${key.scopes}::text[], ${key.stream_ids}::int[], ${key.created_by}::int, ${key.expires_at}::timestamptz
     WHERE ${key.expires_at}::timestamptz IS NULL OR ${key.expires_at}::timestamptz > now()
    RETURNING id, created_at`;
  return rows[0] ?? null;
}

/** When the key expires; null if never. */
async function keyExpiry(id: number): Promise<Date | null> {
  const row = await db.api_key.findUnique({ where: { id }, select: { expires_at: true } });
  return row?.expires_at ?? null;
}
