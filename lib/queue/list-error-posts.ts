import { allowedStreams, type Actor } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { errorPostRows } from "./sql.ts";

/** Posts that failed for this reason, oldest error first, at most `limit`, within the actor's reach. */
export async function listErrorPosts(tx: Tx, actor: Actor, reason: string, limit: number): Promise<number[]> {
  return errorPostRows(tx, reason, limit, allowedStreams(actor));
}
