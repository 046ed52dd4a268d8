import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import { newActionId, recordAction } from "#lib/actions/record-action.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { db, type Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import { errorPostRows, lockErrorRows, lockFailedRow, requeueRows, unmarkRows } from "./error-group-sql.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import type { ErrorBatch, ErrorGroup } from "./schema.ts";
export { errorPostRows } from "./error-group-sql.ts";

/* Failed posts requeued or rejected together. The undo is in lib/review, because a rejection is a review. */

/** Requeues up to `limit` posts with this reason, oldest error first. */
export async function requeueErrors(principal: Principal, group: ErrorGroup): Promise<ErrorBatch> {
  const { reason, limit } = group;
  return inTransaction(async (tx) => {
    const only = await takeCountedErrors(tx, principal, "requeue", group);
    const ids = await lockErrorRows(tx, reason, limit, only);
    const id = actionIdFor(principal, group);
    await recordAction(tx, principal, { id, kind: "errors", details: { change: "requeue" }, posts: ids });
    await requeueRows(tx, ids);
    await wantChecksOfHeld(tx, ids);
    await recordEvents(
      tx,
      principal,
      ids.map((post_id) => ({
        post_id,
        action: "requeue",
        from_state: "error",
        to_state: "pending",
        note: reason,
      })),
    );
    return { changed: ids.length, batch_id: ids.length > 0 ? id : null };
  });
}

/** Id for the action on a group of failed posts: the token of its preview, or a new id. */
export function actionIdFor(principal: Principal, group: ErrorGroup): string {
  return group.preview ?? newActionId(principal);
}

/** Call before one failed post is requeued or marked as delivered; does nothing for others. */
export async function recordFailedPost(
  tx: Tx,
  principal: Principal,
  postId: number,
  change: "requeue" | "deliver",
): Promise<void> {
  if (!(await lockFailedRow(tx, postId))) return;
  const kind = change === "deliver" ? "delivery" : "errors";
  await recordAction(tx, principal, { kind, details: { change, post_id: postId }, posts: [postId] });
}

const countedFor = (change: string, { reason, limit }: ErrorGroup) => ({ change, reason, limit });

export async function previewErrors(
  principal: Principal,
  change: "requeue" | "dismiss",
  group: ErrorGroup,
): Promise<ActionPreview> {
  const ids = await errorPostRows(db, group.reason, group.limit);
  const figures = { changes: ids.length, counts: { error: ids.length }, warnings: [] };
  return createPreview(principal, "errors", countedFor(change, group), ids, figures);
}

/**
 * Posts of a preview; null without one.
 *
 * @throws action_done, preview_not_valid
 */
export async function takeCountedErrors(
  tx: Tx,
  principal: Principal,
  change: "requeue" | "dismiss",
  group: ErrorGroup,
): Promise<number[] | null> {
  if (group.preview === undefined) return null;
  return takeCounted<number[]>(tx, principal, group.preview, "errors", countedFor(change, group));
}

/** Makes marked deliveries pending, for an undo. */
export async function unmarkDelivered(tx: Tx, postIds: number[]): Promise<void> {
  await unmarkRows(tx, postIds);
}
