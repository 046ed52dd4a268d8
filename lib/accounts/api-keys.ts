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
import {
  anyActiveKey,
  insertKey,
  keyExpiry,
  keyRows,
  lockActiveKeys,
  revokeRow,
  revokeRowsOf,
  type KeyRow,
} from "./key-sql.ts";
export { listSilentKeys, type SilentKey } from "./key-sql.ts";

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
