import type { Tx } from "#lib/db.ts";
import { holdBits, type Hold } from "./holds.ts";
import type { QueueState } from "./states.ts";

/*
 * Changes of queue entries for other domains. They run in the caller's transaction.
 */

/**
 * Adds approved posts to the queue as `pending`, in the transaction of the approval. Requirements, blocks and reported
 * opt-outs decide at once whether a post is held. A post that is already in the queue keeps its position.
 */
export async function enqueuePosts(tx: Tx, postIds: number[], at: Date): Promise<void> {
  await tx.$executeRaw`SELECT queue_enqueue(${postIds}::int[], ${at}::timestamptz)`;
}

/**
 * Removes posts from the queue when their approval is revoked. The caller has locked them and checked that none is
 * reserved or delivered. Triggers update counters and topical rows.
 */
export async function dequeuePosts(tx: Tx, postIds: number[]): Promise<void> {
  await tx.queue_entry.deleteMany({ where: { post_id: { in: postIds } } });
}

/** Updates missing requirements, hashtags and block holds of the entries after their posts have changed. */
export async function refreshEntries(tx: Tx, postIds: number[]): Promise<void> {
  if (postIds.length > 0) await tx.$executeRaw`SELECT queue_refresh_entries(${postIds}::int[])`;
}

/**
 * Sets or clears a hold of entries, for reasons other than the block lists. A reserved post stays with its consumer; the
 * hold takes effect when it returns to the queue. Returns the number of entries changed.
 */
export function setHoldOfPosts(tx: Tx, postIds: number[], hold: Hold, held: boolean): Promise<number> {
  const bit = holdBits[hold];
  return held
    ? tx.$executeRaw`
        UPDATE queue_entry SET holds = holds | ${bit}::smallint
         WHERE state <> 'delivered' AND holds & ${bit}::smallint = 0 AND post_id = ANY (${postIds}::int[])`
    : tx.$executeRaw`
        UPDATE queue_entry SET holds = holds & ~${bit}::smallint
         WHERE state <> 'delivered' AND holds & ${bit}::smallint <> 0 AND post_id = ANY (${postIds}::int[])`;
}

/**
 * Locks the entries of posts until the transaction ends, in order of id, and returns their states. Posts that are not in
 * the queue are absent from the map. A reserve skips locked entries; ack and nack wait for them.
 */
export async function lockQueueStates(tx: Tx, postIds: number[]): Promise<Map<number, QueueState>> {
  const rows = await tx.$queryRaw<{ post_id: number; state: QueueState }[]>`
    SELECT post_id, state FROM queue_entry WHERE post_id = ANY (${postIds}::int[]) ORDER BY post_id FOR UPDATE`;
  return new Map(rows.map((row) => [row.post_id, row.state]));
}
