import { allowedStreams, type Actor } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { idsOfOtherStreams } from "./sql.ts";

/** Which of these posts an actor must not change, because the key is bound to other streams. */
export async function beyondReach(tx: Tx, actor: Actor, ids: number[]): Promise<number[]> {
  const streams = allowedStreams(actor);
  return streams === null || ids.length === 0 ? [] : idsOfOtherStreams(tx, ids, streams);
}
