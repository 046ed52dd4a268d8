import { randomBytes } from "node:crypto";
import { hashKey } from "#lib/auth/api-key.ts";
import { scopes as allScopes, type Scope } from "#lib/auth/permissions.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { getStream } from "#lib/streams/read-streams.ts";
import { keyLabel } from "./label.ts";
import type { GeneratedKey, KeyGenerate } from "./schema.ts";
import { insertKey, keyExpiry } from "./sql.ts";

const PREFIX = "slc_";

/**
 * Makes a key for the caller, in clear this once. A key never makes a stronger key: not with more scopes, not
 * for other streams, not for longer than it lasts itself.
 * @throws ApiError `scope_missing`, `role_forbidden`, `key_streams_exceeded`, `validation`
 */
export async function generateKey(principal: Principal, values: KeyGenerate): Promise<GeneratedKey> {
  const scopes = chosenScopes(principal, values.scopes);
  const streamIds = await chosenStreams(principal, values.stream_ids);
  const expiresAt = await chosenEnd(principal, values.expires_at ?? null);
  const key = PREFIX + randomBytes(32).toString("base64url");
  const shown = {
    name: values.name ?? "API key",
    prefix: PREFIX,
    last_characters: key.slice(-4),
    scopes,
    stream_ids: streamIds,
  };
  const row = await db.$transaction(async (tx) => {
    const stored = {
      ...shown,
      key_hash: hashKey(key),
      created_by: principal.member_id,
      expires_at: expiresAt,
    };
    const inserted = await insertKey(tx, stored);
    if (inserted === null) throw validationError([{ path: "expires_at", message: "must be in the future" }]);
    await recordAudit(tx, principal, {
      action: "key.generate",
      subject: keyLabel(shown),
      after: { id: inserted.id, scopes, stream_ids: streamIds, expires_at: toIso(expiresAt) },
    });
    return inserted;
  });
  const maker = await db.member.findUniqueOrThrow({
    where: { id: principal.member_id },
    select: { name: true },
  });
  return {
    id: row.id,
    ...shown,
    created_by: maker.name,
    created_at: toIso(row.created_at),
    expires_at: toIso(expiresAt),
    last_used_at: null,
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

async function chosenStreams(principal: Principal, wanted: number[] | undefined): Promise<number[]> {
  const own = principal.stream_ids;
  const ids = [...new Set(wanted ?? own ?? [])].sort((a, b) => a - b);
  // An empty list means every stream, which a bound key cannot give.
  if (own !== null && (ids.length === 0 || ids.some((id) => !own.includes(id)))) {
    throw new ApiError("key_streams_exceeded");
  }
  for (const id of wanted === undefined ? [] : ids) {
    await getStream(id).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      throw validationError([{ path: "stream_ids", message: error.message }]);
    });
  }
  return ids;
}

async function chosenEnd(principal: Principal, wanted: Date | null): Promise<Date | null> {
  const own = principal.key_id === null ? null : await keyExpiry(principal.key_id);
  if (own === null) return wanted;
  if (wanted !== null && wanted > own) {
    throw validationError([{ path: "expires_at", message: `must not be later than ${toIso(own)}` }]);
  }
  return wanted ?? own;
}
