import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { requireInstance } from "./instance.ts";

/** Null removes it. */
export async function storeHostToken(host: string, token: string | null, tx: Tx = db): Promise<void> {
  const sealed = token === null ? null : encryptToken(host, token);
  await tx.host_state.upsert({
    where: { host },
    create: { host, token: sealed },
    update: { token: sealed, updated_at: new Date() },
    select: { host: true },
  });
}

/** In clear text; null also when encrypted with another key. */
export async function hostToken(host: string): Promise<string | null> {
  const row = await db.host_state.findUnique({ where: { host }, select: { token: true } });
  if (!row?.token) return null;
  const token = decryptToken(host, row.token);
  if (token === null)
    log.warn({ host }, "stored token is encrypted with another ENCRYPTION_KEY: set the token again");
  return token;
}

/** Encrypts with `ENCRYPTION_KEY`. @param host only the same text decrypts it */
export function encryptToken(host: string, token: string): Uint8Array<ArrayBuffer> {
  return seal(key(), host, token);
}

/** Null when encrypted for another host or with another key, and for damaged bytes. */
export function decryptToken(host: string, sealed: Uint8Array): string | null {
  return unseal(key(), host, sealed);
}

function key(): string {
  const secret = env().ENCRYPTION_KEY;
  if (secret === undefined) throw new Error("ENCRYPTION_KEY is not set");
  return secret;
}

/**
 * Null removes the token. Streams that failed for want of it are fetched at once.
 *
 * @param host normalised like a stream's instance
 * @throws ApiError 422 when it is not a host or not allowed
 */
export async function setHostToken(actor: Actor, host: string, token: string | null): Promise<void> {
  const instance = requireInstance(host);
  await inTransaction(async (tx) => {
    await storeHostToken(instance, token, tx);
    await tx.stream.updateMany({
      where: {
        instance,
        active: true,
        enable_scheduling: true,
        last_error_kind: { in: ["needs_token", "token_refused"] },
      },
      data: { next_scheduled_fetch: new Date() },
    });
    await recordAudit(tx, actor, {
      action: token === null ? "host.token.remove" : "host.token.set",
      subject: instance,
    });
  });
}
