import { hash, timingSafeEqual } from "node:crypto";
import { db } from "#lib/base/db.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { log } from "#lib/base/log.ts";
import { batched } from "#lib/base/batched.ts";

const MINUTE_MS = 60_000;
const noted = { used: new Map<number, number>(), asked: new Map<number, number>() };

/** SHA-256 of the key, which is stored in its place. */
export function hashKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", key, "buffer"));
}

/** The key of a request, from `X-API-Key` or a bearer token; null without one. */
export function keyOf(headers: Headers): string | null {
  const key = headers.get("x-api-key");
  if (key !== null) return key;
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "");
  return bearer?.[1] ?? null;
}

/** Compares in constant time. Hashes, because timingSafeEqual needs inputs of equal length. */
export function isSameSecret(given: string, secret: string): boolean {
  return timingSafeEqual(hashKey(given), hashKey(secret));
}

/**
 * Stores the time of use, at most once a minute. Not awaited, so that it does not slow the request.
 *
 * @param asked the request was `GET /curated/next`
 */
export function noteKeyUse(keyId: number, asked = false): void {
  const now = Date.now();
  const times = asked ? noted.asked : noted.used;
  if (now - (times.get(keyId) ?? 0) < MINUTE_MS) return;
  times.set(keyId, now);
  const at = new Date(now);
  db.api_key
    .updateMany({ where: { id: keyId }, data: { last_used_at: at, ...(asked ? { last_asked_at: at } : {}) } })
    .catch((error: unknown) => log.warn({ err: error, key_id: keyId }, "last use of API key not stored"));
}

interface ActiveKey {
  id: number;
  name: string;
  scopes: string[];
  member_id: number;
  role: Role;
}

/** The key of a hash, with its member; null unless both are active, by the database's clock. */
export const activeKey = batched(async (hashes: Uint8Array[]): Promise<(ActiveKey | null)[]> => {
  const hexes = hashes.map((keyHash) => Buffer.from(keyHash).toString("hex"));
  const rows = await db.$queryRaw<(ActiveKey & { hash: string })[]>`/* active_keys */
    SELECT encode(k.key_hash, 'hex') AS hash, k.id, k.name, k.scopes, m.id AS member_id, m.role
      FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.key_hash IN (SELECT decode(hash, 'hex') FROM unnest(${hexes}::text[]) hash)
       AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND m.disabled_at IS NULL`;
  return hexes.map((hex) => rows.find((row) => row.hash === hex) ?? null);
});
