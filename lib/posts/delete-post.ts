import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { ApiError } from "#lib/errors.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { inTransaction } from "#lib/transaction.ts";
import { lockQueueStates } from "#lib/queue/queue-entries.ts";
import { beyondReach } from "./beyond-reach.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { deleteRows, lockApproved } from "./sql.ts";

/**
 * Deletes a post in any state: an author's wish comes before a consumer's reservation. A tombstone keeps it from
 * being collected again; its history stays. Neither names the author or the address. Cached pictures go with it.
 * @throws post_not_found
 */
export async function deletePost(actor: Actor, id: number): Promise<void> {
  await inTransaction(async (tx) => {
    if ((await beyondReach(tx, actor, [id])).length > 0) throw new ApiError("post_not_found");
    const approved = await lockApproved(tx, id);
    if (approved === undefined) throw new ApiError("post_not_found");
    // The post first, then its entry, as reviews lock them.
    const from_state =
      (await lockQueueStates(tx, [id])).get(id) ?? (approved === null ? "unreviewed" : "rejected");
    await deleteRows(tx, [id], "deleted");
    await recordEvents(tx, actor, [{ post_id: id, action: "delete", from_state, to_state: "deleted" }]);
    await recordAudit(tx, actor, { action: "post.delete", subject: `Post ${id}` });
  });
  await forgetPictures([id]);
}
