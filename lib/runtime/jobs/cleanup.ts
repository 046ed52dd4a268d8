import { db, Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { deleteExpiredRows } from "#lib/collect/retention.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";

/** Far longer than any deadline. */
const LEASE_SECONDS = 300;
/** Less than a day, so that a daily scheduler is never too early. */
const INTERVAL_MINUTES = 23 * 60 + 50;

// The database's clock, because several processes ask.
const isDue = Prisma.sql`(last_cleanup_at IS NULL OR last_cleanup_at < now() - ${INTERVAL_MINUTES} * interval '1 minute')
  AND (cleanup_lease_until IS NULL OR cleanup_lease_until < now())`;

/** A missed day is caught up. */
export async function isCleanupDue(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM installation WHERE ${isDue}`;
  return rows.length > 0;
}

/** One of several callers succeeds. */
export async function claimCleanup(): Promise<boolean> {
  const claimed = await db.$executeRaw`
    UPDATE installation SET cleanup_lease_until = now() + ${LEASE_SECONDS} * interval '1 second' WHERE ${isDue}`;
  return claimed === 1;
}

/** An incomplete cleanup stays due. */
export async function endCleanup(complete: boolean): Promise<void> {
  await db.$executeRaw`
    UPDATE installation SET cleanup_lease_until = NULL,
      last_cleanup_at = CASE WHEN ${complete}::boolean THEN now() ELSE last_cleanup_at END`;
}

/**
 * Deletes delivered posts older than RETENTION_DAYS, then rejected, unreviewed and failed ones and old history by their settings. May
 * run at any time.
 */
export async function cleanUpNow({ deadline }: { deadline: Date }): Promise<{ deleted: number }> {
  const delivered = await cleanupDelivered(servicePrincipal, env().RETENTION_DAYS, { deadline });
  const others = await deleteExpiredRows(servicePrincipal, deadline);
  await endCleanup(delivered.complete && others.complete);
  return { deleted: delivered.deleted + others.deleted };
}
