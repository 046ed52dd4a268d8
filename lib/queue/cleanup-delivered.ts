import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { forgetPictures } from "#lib/media/forget-pictures.ts";
import { retryLockConflict } from "#lib/transaction.ts";
import { cleanupRows } from "./sql.ts";

const BATCH = 1000;
/** Longer ago than any delivery, within PostgreSQL's range of dates. */
const MAX_DAYS = 1_000_000;

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
  const days = Math.min(retentionDays, MAX_DAYS);
  let deleted = 0;
  let complete = true;
  for (;;) {
    const { ids, n } = await retryLockConflict(() => cleanupRows(days, BATCH));
    await forgetPictures(ids);
    deleted += n;
    if (ids.length < BATCH) break;
    if (deadline !== undefined && Date.now() >= deadline.getTime()) {
      complete = false;
      break;
    }
  }
  if (deleted > 0) {
    await recordAudit(db, actor, {
      action: "queue.cleanup",
      subject: `delivered posts older than ${days} days`,
      after: { deleted },
    });
  }
  return { deleted, complete };
}
