import type { Tx } from "#lib/db.ts";
import { enqueueRows } from "./sql.ts";

/**
 * Puts an approved post into the queue as `pending`, in the transaction of the approval. Its facts, blocks and
 * reported opt-outs decide at once whether it is held. A post that is in the queue already keeps its place.
 */
export async function enqueuePosts(tx: Tx, postIds: number[], at: Date): Promise<void> {
  await enqueueRows(tx, postIds, at);
}
