import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { storeHostToken } from "./host-token.ts";
import { requireInstance } from "./require-instance.ts";

/**
 * Keeps the access token of a server that demands one, or removes it (null).
 * @param host as an operator writes it; normalised like a stream's instance
 * @throws ApiError 422 when it is no host that may be asked
 */
export async function setHostToken(actor: Actor, host: string, token: string | null): Promise<void> {
  const instance = requireInstance(host);
  await storeHostToken(instance, token);
  await recordAudit(db, actor, {
    action: token === null ? "host.token.remove" : "host.token.set",
    subject: instance,
  });
}
