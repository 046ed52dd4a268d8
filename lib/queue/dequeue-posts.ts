import type { Tx } from "#lib/db.ts";

/**
 * Takes posts out of the queue: their approval was taken back. The caller has locked them and checked that
 * none is reserved or delivered. Counts and topical rows follow by trigger.
 */
export async function dequeuePosts(tx: Tx, postIds: number[]): Promise<void> {
  await tx.queue_entry.deleteMany({ where: { post_id: { in: postIds } } });
}
