import { db, type Tx } from "#lib/base/db.ts";
import type { Role } from "#lib/base/http/permissions.ts";

/*
 * `owner` null: keys of all members. An active key has not expired, by the database's clock, and its member is not
 * disabled.
 */

export type KeyRow = {
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
export async function keyRows(owner: number | null): Promise<KeyRow[]> {
  return db.$queryRaw<KeyRow[]>`
    SELECT k.id, k.name, k.prefix, k.last_characters, k.scopes, k.stream_ids, m.name AS created_by, k.created_at,
           k.expires_at, k.last_used_at, k.last_asked_at,
           m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AS active
      FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
     ORDER BY k.id DESC`;
}

/** With its member; null unless it is active. */
export async function activeKey(
  hash: Uint8Array,
): Promise<{ id: number; name: string; scopes: string[]; member_id: number; role: Role } | null> {
  const rows = await db.$queryRaw<
    { id: number; name: string; scopes: string[]; member_id: number; role: Role }[]
  >`/* active_key */
    SELECT k.id, k.name, k.scopes, m.id AS member_id, m.role
      FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.key_hash = ${hash}::bytea AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND m.disabled_at IS NULL`;
  return rows[0] ?? null;
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
export async function lockActiveKeys(tx: Tx, owner: number | null): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT k.id FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
       AND m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
     ORDER BY k.id LIMIT 2 FOR UPDATE OF k`;
  return rows.map((row) => row.id);
}

export async function anyActiveKey(tx: Tx, owner: number | null): Promise<boolean> {
  const rows = await tx.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM api_key k JOIN member m ON m.id = k.created_by
       WHERE k.revoked_at IS NULL AND (${owner}::int IS NULL OR k.created_by = ${owner}::int)
         AND m.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS found`;
  return rows[0]?.found === true;
}

/** Returns the name for the log; null when there is none to revoke. */
export async function revokeRow(
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
export async function revokeRowsOf(
  tx: Tx,
  owner: number,
): Promise<{ id: number; name: string; last_characters: string }[]> {
  return tx.$queryRaw<{ id: number; name: string; last_characters: string }[]>`
    UPDATE api_key SET revoked_at = now() WHERE created_by = ${owner} AND revoked_at IS NULL
    RETURNING id, name, last_characters`;
}

export type NewKey = {
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
export async function insertKey(tx: Tx, key: NewKey): Promise<{ id: number; created_at: Date } | null> {
  const rows = await tx.$queryRaw<{ id: number; created_at: Date }[]>`
    INSERT INTO api_key (name, prefix, last_characters, key_hash, scopes, stream_ids, created_by, expires_at)
    SELECT ${key.name}::text, ${key.prefix}::text, ${key.last_characters}::text, ${key.key_hash}::bytea,
           ${key.scopes}::text[], ${key.stream_ids}::int[], ${key.created_by}::int, ${key.expires_at}::timestamptz
     WHERE ${key.expires_at}::timestamptz IS NULL OR ${key.expires_at}::timestamptz > now()
    RETURNING id, created_at`;
  return rows[0] ?? null;
}

/** When the key expires; null if never. */
export async function keyExpiry(id: number): Promise<Date | null> {
  const row = await db.api_key.findUnique({ where: { id }, select: { expires_at: true } });
  return row?.expires_at ?? null;
}
