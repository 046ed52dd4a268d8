import { recordAudit } from "#lib/accounts/record-audit.ts";
import { isoTimes } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { retryLockConflict } from "#lib/base/transaction.ts";
import { forgetPictures } from "#lib/media/cache.ts";
import { cleanupRows } from "./sql.ts";

const BATCH = 1000;
/** Larger values mean the same, but would leave PostgreSQL's range of dates. */
const MAX_DAYS = 1_000_000;

interface CleanupOptions {
  /** Time of a count, from which the days are counted, so that exactly the counted posts are deleted. Default: now. */
  as_of?: Date | undefined;
  /** No batch begins after it. */
  deadline?: Date;
}

/** Number of posts that `cleanupDelivered` would delete, and the time of the count. */
export async function countDelivered(
  retentionDays: number,
): Promise<{ would_delete: number; as_of: string }> {
  const [row] = await db.$queryRaw<[{ would_delete: number; as_of: Date }]>`
    SELECT count(*)::int AS would_delete, date_trunc('milliseconds', now()) AS as_of FROM queue_entry
     WHERE state = 'delivered'
       AND delivered_at <= date_trunc('milliseconds', now()) - ${limitDays(retentionDays)}::int * interval '1 day'`;
  return isoTimes(row);
}

/**
 * Deletes posts that were delivered more than `retentionDays` days ago (0: all), with their cached pictures, in short
 * transactions. Each post leaves a tombstone; all-time counts do not change. Idempotent.
 *
 * @returns `complete`: false when the deadline ended it
 */
export async function cleanupDelivered(
  actor: Actor,
  retentionDays: number,
  { as_of, deadline }: CleanupOptions = {},
): Promise<{ deleted: number; complete: boolean }> {
  const days = limitDays(retentionDays);
  let deleted = 0;
  let complete = true;
  for (;;) {
    const { ids, n, chosen } = await retryLockConflict(() => cleanupRows(days, as_of ?? null, BATCH));
    await forgetPictures(ids);
    deleted += n;
    if (chosen < BATCH) break;
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

const limitDays = (retentionDays: number) => Math.min(retentionDays, MAX_DAYS);
