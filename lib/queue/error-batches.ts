import { randomUUID } from "node:crypto";
import type { Outlook, StoredAction, UndoLimits } from "#lib/actions/action-kind.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import { newActionId, recordAction } from "#lib/actions/record-action.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import { allowedStreams, type Actor, type Principal } from "#lib/auth/principal.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { inTransaction } from "#lib/transaction.ts";
import {
  errorOutlookRows,
  errorPostRows,
  insertErrorBatch,
  lockErrorRows,
  lockFailedRow,
  readErrorBatch,
  requeueRows,
  restoreErrorRows,
  reviewedErrorRows,
  stillMarkedRows,
  stillRequeuedRows,
  unmarkRows,
  type ErrorBatchKind,
  type ErrorBatchRow,
  type ReviewedErrorRow,
} from "./error-batch-sql.ts";
import { wantChecksOfHeld } from "./queue-entries.ts";
import type { ErrorBatch, ErrorGroup } from "./schema.ts";

/*
 * Failed posts requeued or rejected together. The stored entries allow an undo within a day
 * (lib/review/failed-posts.ts).
 */

const DAY = 86_400_000;

/** Requeues up to `limit` posts with this reason, oldest error first. */
export async function requeueErrors(principal: Principal, group: ErrorGroup): Promise<ErrorBatch> {
  const { reason, limit } = group;
  return inTransaction(async (tx) => {
    const only = await takeCountedErrors(tx, principal, "requeue", group);
    const ids = await lockErrorRows(tx, reason, limit, allowedStreams(principal), only);
    const batch_id = await recordErrorBatch(tx, "requeue", reason, ids, actionIdFor(principal, group));
    if (batch_id !== null)
      await recordErrorAction(tx, principal, batch_id, { change: "requeue", changed: ids.length });
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
    return { changed: ids.length, batch_id };
  });
}

/** Id for the action on a group of failed posts: the token of its preview, or a new id. */
export function actionIdFor(principal: Principal, group: ErrorGroup): string {
  return group.preview ?? newActionId(principal);
}

/** The id of the action is that of the batch. */
export async function recordErrorAction(
  tx: Tx,
  principal: Principal,
  id: string,
  action: { change: "requeue" | "dismiss"; changed: number; before?: Prisma.InputJsonObject },
): Promise<void> {
  const { change, ...rest } = action;
  await recordAction(tx, principal, { id, kind: "errors", details: { change }, ...rest });
}

/** Call before one failed post is requeued or marked as delivered; does nothing for others. */
export async function recordFailedPost(
  tx: Tx,
  principal: Principal,
  postId: number,
  change: "requeue" | "deliver",
): Promise<void> {
  const failed = await lockFailedRow(tx, postId);
  if (failed === null) return;
  const id = newActionId(principal);
  await recordErrorBatch(tx, change, failed.reason, [postId], id);
  const kind = change === "deliver" ? "delivery" : "errors";
  await recordAction(tx, principal, { id, kind, changed: 1, details: { change, post_id: postId } });
}

const countedFor = (change: string, { reason, limit }: ErrorGroup) => ({ change, reason, limit });

export async function previewErrors(
  principal: Principal,
  change: "requeue" | "dismiss",
  group: ErrorGroup,
): Promise<ActionPreview> {
  const ids = await errorPostRows(db, group.reason, group.limit, allowedStreams(principal));
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

/** Posts with this reason in the actor's allowed streams, oldest error first. */
export async function listErrorPosts(tx: Tx, actor: Actor, reason: string, limit: number): Promise<number[]> {
  return errorPostRows(tx, reason, limit, allowedStreams(actor));
}

/**
 * Stores entries, locked by the caller, before they change together.
 *
 * @returns id of the batch; null without posts
 */
export async function recordErrorBatch(
  tx: Tx,
  kind: ErrorBatchKind,
  reason: string,
  postIds: number[],
  id: string = randomUUID(),
): Promise<string | null> {
  if (postIds.length === 0) return null;
  await insertErrorBatch(tx, { id, kind, reason }, postIds);
  return id;
}

export async function stampErrorBatch(tx: Tx, id: string, reviewedAt: Date | null): Promise<void> {
  await tx.error_batch.update({ where: { id }, data: { reviewed_at: reviewedAt }, select: { id: true } });
}

/** A batch that can be undone, with `lock` until the transaction ends; else null. */
export async function findErrorBatch(tx: Tx, id: string, lock: boolean): Promise<ErrorBatchRow | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  return readErrorBatch(tx, id, lock);
}

/** Posts of a batch of requeued ones, or of ones marked as delivered, that are unchanged since; the latter become pending. */
export async function takeBackQueued(tx: Tx, { id, kind }: ErrorBatchRow): Promise<number[]> {
  if (kind === "requeue") return stillRequeuedRows(tx, id);
  const ids = await stillMarkedRows(tx, id);
  await unmarkRows(tx, ids);
  return ids;
}

/** Outlooks of actions whose id is that of a batch. */
export async function errorOutlooks(actions: readonly StoredAction[]): Promise<Map<string, Outlook>> {
  const rows = await errorOutlookRows(actions.map(({ id }) => id));
  return new Map(
    actions.map(({ id, at, changed }) => {
      const own = rows.filter((row) => row.batch_id === id);
      const left = own.reduce((sum, { posts }) => sum + posts, 0);
      const isOld = own.some((row) => row.is_old) || Date.now() - at.getTime() > DAY;
      if (isOld) return [id, { restorable: 0, limits: { expired: changed } }];
      const limits: UndoLimits = changed > left ? { deleted: changed - left } : {};
      for (const { limit, posts } of own) if (limit !== null) limits[limit] = posts;
      return [id, { restorable: own.find(({ limit }) => limit === null)?.posts ?? 0, limits }];
    }),
  );
}

/** Restores pending posts, locked by the caller, and marks the batch as undone. */
export async function restoreErrors(tx: Tx, id: string, postIds: number[]): Promise<void> {
  await restoreErrorRows(tx, id, postIds);
  await tx.error_batch.update({ where: { id }, data: { undone_at: new Date() }, select: { id: true } });
}

/** Restores pending posts, locked by the caller, that a reviewer rejected at this time. */
export async function restoreReviewedErrors(
  tx: Tx,
  postIds: number[],
  rejectedAt: Date,
): Promise<ReviewedErrorRow[]> {
  const rows = await reviewedErrorRows(tx, postIds, rejectedAt);
  for (const id of new Set(rows.map((row) => row.batch_id))) {
    const failed = rows.filter((row) => row.batch_id === id).map((row) => row.post_id);
    await restoreErrors(tx, id, failed);
  }
  return rows;
}
