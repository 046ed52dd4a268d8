import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";

/*
 * Feed readers cannot send headers, so a feed's address has a token. It opens nothing else, and ends with the key or its
 * secret: it is derived from both and stored nowhere.
 */

/** @throws ApiError `api_key_not_found` */
export async function feedToken(keyId: number): Promise<string> {
  const row = await db.api_key.findUnique({ where: { id: keyId }, select: { key_hash: true } });
  if (row === null) throw new ApiError("api_key_not_found");
  return tokenOf(keyId, row.key_hash);
}

/** Name of the key. @throws ApiError `feed_not_found`: also for a wrong token, and for a key that is not active */
export async function requireFeed(keyId: number, token: string): Promise<string> {
  const rows = await db.$queryRaw<{ key_hash: Uint8Array; name: string }[]>`
    SELECT k.key_hash, k.name FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.id = ${keyId} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND m.disabled_at IS NULL`;
  const [row] = rows;
  if (row === undefined) throw new ApiError("feed_not_found");
  const expected = Buffer.from(tokenOf(keyId, row.key_hash));
  const given = Buffer.from(token);
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new ApiError("feed_not_found");
  return row.name;
}

function tokenOf(keyId: number, hash: Uint8Array): string {
  const secret = env().ENCRYPTION_KEY;
  if (secret === undefined) throw new Error("ENCRYPTION_KEY is not set");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "feed token", 32));
  return createHmac("sha256", key).update(`${keyId}:`).update(hash).digest("base64url");
}
