import type { Tx } from "#lib/db.ts";
import type { QueueState } from "./states.ts";
import { lockEntryStates } from "./sql.ts";

/** As `lockQueueState`, for many posts at once; a post that is not in the queue is not in the map. */
export async function lockQueueStates(tx: Tx, postIds: number[]): Promise<Map<number, QueueState>> {
  const rows = await lockEntryStates(tx, postIds);
  return new Map(rows.map((row) => [row.post_id, row.state as QueueState]));
}
