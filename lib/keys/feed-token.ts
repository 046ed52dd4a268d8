import { createHmac, timingSafeEqual } from "node:crypto";
import { db } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { derivedFeedSecret, FEEDS, unseal } from "#lib/seal.ts";

/*
 * Feed readers cannot send headers, so a feed's address has a token. It opens nothing else, and ends with the API key or its
 * secret: it is derived from both and a secret of the installation, and stored nowhere.
 */

/** @throws ApiError `api_key_not_found` */
export async function feedToken(keyId: number): Promise<string> {
  const row = await db.api_key.findUnique({ where: { id: keyId }, select: { key_hash: true } });
  if (row === null) throw new ApiError("api_key_not_found");
  return tokenOf(keyId, row.key_hash, await feedSecret());
}

/** Name of the key. @throws ApiError `feed_not_found`: also for a wrong token, and for a key that is not active */
export async function requireFeed(keyId: number, token: string): Promise<string> {
  const rows = await db.$queryRaw<{ key_hash: Uint8Array; name: string }[]>`
    SELECT k.key_hash, k.name FROM api_key k JOIN member m ON m.id = k.created_by
     WHERE k.id = ${keyId} AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
       AND m.disabled_at IS NULL`;
  const [row] = rows;
  if (row === undefined) throw new ApiError("feed_not_found");
  const expected = Buffer.from(tokenOf(keyId, row.key_hash, await feedSecret()));
  const given = Buffer.from(token);
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new ApiError("feed_not_found");
  return row.name;
}

/** Null until the first start of a version that stores it. */
async function feedSecret(): Promise<string> {
  const key = env().ENCRYPTION_KEY;
  if (key === undefined) throw new Error("ENCRYPTION_KEY is not set");
  const { feed_secret: sealed } = await db.installation.findFirstOrThrow({ select: { feed_secret: true } });
  return (sealed && unseal(key, FEEDS, sealed)) ?? derivedFeedSecret(key);
}

function tokenOf(keyId: number, hash: Uint8Array, secret: string): string {
  const key = Buffer.from(secret, "base64url");
  return createHmac("sha256", key).update(`${keyId}:`).update(hash).digest("base64url");
}
