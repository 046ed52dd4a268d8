import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { deleteExpiredRows } from "#lib/collect/retention.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";

/** Less than a day, so that a daily scheduler is never too early. */
const INTERVAL_MINUTES = 23 * 60 + 50;

/**
 * Claims the daily cleanup, which makes up for missed days. Uses the database's clock, because several processes ask.
 * @returns true for one of several callers
 */
export async function claimCleanup(): Promise<boolean> {
  const claimed = await db.$executeRaw`
    UPDATE installation SET last_cleanup_at = now()
     WHERE last_cleanup_at IS NULL OR last_cleanup_at < now() - ${INTERVAL_MINUTES} * interval '1 minute'`;
  return claimed === 1;
}

/**
 * Deletes delivered posts older than RETENTION_DAYS, then rejected, unreviewed and failed posts and old history by their
 * settings. May run at any time. If it is incomplete, it becomes due again.
 */
export async function cleanUpNow({ deadline }: { deadline: Date }): Promise<{ deleted: number }> {
  const delivered = await cleanupDelivered(servicePrincipal, env().RETENTION_DAYS, { deadline });
  const others = await deleteExpiredRows(servicePrincipal, deadline);
  const isComplete = delivered.complete && others.complete;
  await db.$executeRaw`
    UPDATE installation SET last_cleanup_at = CASE WHEN ${isComplete}::boolean THEN now() END`;
  return { deleted: delivered.deleted + others.deleted };
}
