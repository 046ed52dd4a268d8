import { toIso } from "#lib/clock.ts";
import type { Principal } from "#lib/auth/principal.ts";
import type { Scope } from "#lib/auth/permissions.ts";
import { ownerFor } from "./reach.ts";
import type { ApiKey, KeyStatus } from "./schema.ts";
import { keyRows, type KeyRow } from "./sql.ts";

/** The keys somebody may see, newest first, without those that were revoked; expired ones stay in sight. */
export async function keyStatus(principal: Pick<Principal, "role" | "member_id">): Promise<KeyStatus> {
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
  };
}
