import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";

const MINUTE = 60_000;
const noted = new Map<number, number>();

/**
 * Writes a key's last use, at most once a minute and never awaited: it must not slow the request, and a lost
 * write costs a minute of accuracy on a settings page.
 */
export function noteKeyUse(keyId: number, lastUsed: Date | null): void {
  const now = Date.now();
  if (lastUsed !== null && now - lastUsed.getTime() < MINUTE) return;
  if (now - (noted.get(keyId) ?? 0) < MINUTE) return;
  noted.set(keyId, now);
  db.api_key
    .updateMany({ where: { id: keyId }, data: { last_used_at: new Date(now) } })
    .catch((error: unknown) => log.warn({ err: error, key_id: keyId }, "could not note the use of a key"));
}
