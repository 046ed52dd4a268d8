import { recordAudit } from "#lib/audit/record-audit.ts";
import { noUndoWarning, recordDeletion } from "#lib/actions/deletions.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { lockQueueStates } from "#lib/queue/queue-entries.ts";
import { inTransaction } from "#lib/transaction.ts";

const take = (tx: Tx, actor: Principal, id: number, preview: string) =>
  takeCounted<{ state: string }>(tx, actor, preview, "delete_post", { id });

/** @throws post_not_found */
export async function previewDeletion(principal: Principal, id: number): Promise<ActionPreview> {
  const post = await db.post.findUnique({
    where: { id },
    select: { approved: true, media_count: true, queue_entry: { select: { state: true } } },
  });
  if (post === null) throw new ApiError("post_not_found");
  const state = post.queue_entry?.state ?? (post.approved === null ? "unreviewed" : "rejected");
  const reserved = { code: "reserved", count: 1, detail: "1 post is with a consumer now" };
  return createPreview(
    principal,
    "delete_post",
    { id },
    { state },
    {
      changes: 1,
      counts: { posts: 1, pictures: post.media_count },
      warnings: [...(state === "reserved" ? [reserved] : []), ...noUndoWarning(1)],
    },
  );
}

/**
 * Deletes a post in any state, reserved ones included, because the author's will outranks a reservation. A tombstone
 * keeps it from being collected again. Its history stays, without the author's name or address; cached pictures go.
 *
 * @throws post_not_found; action_done, preview_not_valid: also when its state is another one than was counted
 */
export async function deletePost(actor: Principal, id: number, preview?: string): Promise<void> {
  await inTransaction(async (tx) => {
    const counted = preview === undefined ? null : await take(tx, actor, id, preview);
    // The post first, then its queue entry: the order in which reviews lock them.
    const [post] = await tx.$queryRaw<{ approved: boolean | null }[]>`
      SELECT approved FROM post WHERE id = ${id} FOR UPDATE`;
    if (post === undefined) throw new ApiError("post_not_found");
    const queueState = (await lockQueueStates(tx, [id])).get(id);
    const from_state = queueState ?? (post.approved === null ? "unreviewed" : "rejected");
    if (counted !== null && counted.state !== from_state) throw new ApiError("preview_not_valid");
    await deletePosts(tx, [id], "deleted");
    await recordEvents(tx, actor, [{ post_id: id, action: "delete", from_state, to_state: "deleted" }]);
    await recordAudit(tx, actor, { action: "post.delete", subject: `Post ${id}` });
    await recordDeletion(tx, actor, "post", { id: preview, changed: 1 });
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
