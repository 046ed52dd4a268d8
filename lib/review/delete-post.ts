import { recordAudit } from "#lib/accounts/record-audit.ts";
import type { Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { lockQueueStates } from "#lib/queue/queue-entries.ts";
import { recordEvents } from "#lib/queue/record-event.ts";

/**
 * Deletes a post in any state, also a reserved one, because the author's will outranks a reservation. A tombstone keeps it
 * from being collected again. Its history stays, without texts about the post; its cached pictures are deleted.
 *
 * @throws post_not_found
 */
export async function deletePost(actor: Principal, id: number): Promise<void> {
  await inTransaction(async (tx) => {
    // The post first, then its queue entry: the order in which reviews lock them.
    const [post] = await tx.$queryRaw<{ approved: boolean | null }[]>`
      SELECT approved FROM post WHERE id = ${id} FOR UPDATE`;
    if (post === undefined) throw new ApiError("post_not_found");
    const queueState = (await lockQueueStates(tx, [id])).get(id);
    const from_state = queueState ?? (post.approved === null ? "unreviewed" : "rejected");
    await deletePosts(tx, [id], "deleted");
    await recordEvents(tx, actor, [{ post_id: id, action: "delete", from_state, to_state: "deleted" }]);
    await recordAudit(tx, actor, { action: "post.delete", subject: `Post ${id}` });
  });
  await forgetPictures([id]);
}

/** Deletes posts and leaves a tombstone of each; `reason` is stored with it. See prisma/functions/forget.sql. */
export async function deletePosts(tx: Tx, ids: number[], reason: "deleted" | "opt_out"): Promise<void> {
  await tx.$queryRaw`SELECT delete_posts(${ids}::int[], ${reason})`;
}

/** Removes the content of posts whose record stays. */
export async function erasePosts(tx: Tx, ids: number[]): Promise<void> {
  await tx.$executeRaw`SELECT erase_posts(${ids}::int[])`;
  // Safe before the commit: pictures of a post that stays are fetched again.
  await forgetPictures(ids);
}
