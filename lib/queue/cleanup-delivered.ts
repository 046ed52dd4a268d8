import { noUndoWarning, recordDeletion } from "#lib/actions/deletions.ts";
import { createPreview, takeCounted } from "#lib/actions/previews.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { Actor, Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { inTransaction, retryLockConflict } from "#lib/transaction.ts";
import { cleanupCount, cleanupRows } from "./sql.ts";

const BATCH = 1000;
/** Longer ago than any delivery, within PostgreSQL's range of dates. */
const MAX_DAYS = 1_000_000;

interface CountedCleanup {
  until: string;
}

const argsOf = (retentionDays: number) => ({ retention_days: Math.min(retentionDays, MAX_DAYS) });

/** Posts that `cleanupDelivered` would delete. */
export async function countDelivered(retentionDays: number): Promise<number> {
  return (await cleanupCount(argsOf(retentionDays).retention_days)).posts;
}

/** A use of the token deletes only posts that were delivered when it was made. */
export async function previewCleanup(principal: Principal, retentionDays: number): Promise<ActionPreview> {
  const args = argsOf(retentionDays);
  const { until, posts } = await cleanupCount(args.retention_days);
  const data: CountedCleanup = { until: until.toISOString() };
  return createPreview(principal, "cleanup", args, data, {
    changes: posts,
    counts: { posts },
    warnings: noUndoWarning(posts),
  });
}

/**
 * Deletes the posts that `previewCleanup` counted, once.
 *
 * @throws action_done, preview_not_valid
 */
export async function cleanupCounted(
  principal: Principal,
  retentionDays: number,
  preview: string,
): Promise<{ deleted: number }> {
  const args = argsOf(retentionDays);
  const { until } = await inTransaction((tx) =>
    takeCounted<CountedCleanup>(tx, principal, preview, "cleanup", args),
  );
  return deleteDelivered(principal, args.retention_days, { until: new Date(until), preview });
}

/**
 * Deletes posts delivered more than `retentionDays` days ago (0: all), with their cached pictures, in short
 * transactions. Each leaves a tombstone; all-time counts do not change. Idempotent.
 *
 * @param deadline stops between two batches; `complete` is false then
 */
export async function cleanupDelivered(
  actor: Actor,
  retentionDays: number,
  deadline?: Date,
): Promise<{ deleted: number; complete: boolean }> {
  return deleteDelivered(actor, Math.min(retentionDays, MAX_DAYS), { deadline });
}

async function deleteDelivered(
  actor: Actor,
  days: number,
  options: { until?: Date; preview?: string; deadline?: Date | undefined },
): Promise<{ deleted: number; complete: boolean }> {
  const { until = null, preview, deadline } = options;
  let deleted = 0;
  let complete = true;
  for (;;) {
    const { ids, n } = await retryLockConflict(() => cleanupRows(days, until, BATCH));
    await forgetPictures(ids);
    deleted += n;
    if (ids.length < BATCH) break;
    if (deadline !== undefined && Date.now() >= deadline.getTime()) {
      complete = false;
      break;
    }
  }
  if (deleted > 0) {
    const changed = deleted;
    await inTransaction(async (tx) => {
      await recordAudit(tx, actor, {
        action: "queue.cleanup",
        subject: `delivered posts older than ${days} days`,
        after: { deleted: changed },
      });
      await recordDeletion(tx, actor, "cleanup", { id: preview, changed });
    });
  }
  return { deleted, complete };
}
