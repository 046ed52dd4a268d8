import type { Tx } from "#lib/db.ts";
import type { QueueState } from "./states.ts";
import { lockEntryStates } from "./sql.ts";

/**
 * Locks the queue entries of posts until the transaction ends, in the order of their ids, and gives their states; a
 * post that is not in the queue is not in the map. A consumer's reserve passes over a locked entry; ack and nack
 * wait for it.
 */
export async function lockQueueStates(tx: Tx, postIds: number[]): Promise<Map<number, QueueState>> {
  const rows = await lockEntryStates(tx, postIds);
  return new Map(rows.map((row) => [row.post_id, row.state as QueueState]));
}
