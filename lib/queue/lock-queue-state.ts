import type { Tx } from "#lib/db.ts";
import type { QueueState } from "./states.ts";
import { lockEntryState } from "./sql.ts";

/**
 * Locks a post's queue entry until the transaction ends and gives its state, null when it is not in the queue.
 * A consumer's reserve passes over a locked entry; ack and nack wait for it.
 */
export async function lockQueueState(tx: Tx, postId: number): Promise<QueueState | null> {
  return (await lockEntryState(tx, postId)) as QueueState | null;
}
