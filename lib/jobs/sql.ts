import { db } from "#lib/db.ts";

/** Seconds a cleanup may take before another process may begin one: far more than a deadline allows. */
const CLEANUP_LEASE_SECONDS = 300;
/** A little less than a day, so that a scheduler that calls at the same time each day never comes too early. */
const CLEANUP_MINUTES = 23 * 60 + 50;

export async function isCleanupDue(): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM installation
     WHERE (last_cleanup_at IS NULL OR last_cleanup_at < now() - ${CLEANUP_MINUTES} * interval '1 minute')
       AND (cleanup_lease_until IS NULL OR cleanup_lease_until < now())`;
  return rows.length > 0;
}

/** Takes the day's cleanup; of many that ask one gets it. */
export async function claimCleanup(): Promise<boolean> {
  const n = await db.$executeRaw`
    UPDATE installation SET cleanup_lease_until = now() + ${CLEANUP_LEASE_SECONDS} * interval '1 second'
     WHERE (last_cleanup_at IS NULL OR last_cleanup_at < now() - ${CLEANUP_MINUTES} * interval '1 minute')
       AND (cleanup_lease_until IS NULL OR cleanup_lease_until < now())`;
  return n === 1;
}

/** Gives it back; a cleanup that was not finished is still due. */
export async function endCleanup(complete: boolean): Promise<void> {
  await db.$executeRaw`
    UPDATE installation SET cleanup_lease_until = NULL,
      last_cleanup_at = CASE WHEN ${complete}::boolean THEN now() ELSE last_cleanup_at END`;
}

/** Fetch runs of the last 30 days stay, and those of a run under way. */
export async function pruneFetchRuns(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM fetch_run WHERE id IN (
      SELECT id FROM fetch_run WHERE started_at < now() - interval '30 days' ORDER BY started_at LIMIT 10000)`;
}

/** Links of a week ago that nobody can use any more. */
export async function pruneLinks(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM invitation WHERE coalesce(used_at, expires_at) < now() - interval '7 days'`;
}

/** Failures of a day ago slow nobody down. */
export async function pruneAttempts(): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_attempt WHERE last_failure < now() - interval '1 day'`;
}

/**
 * Groups of errors that were requeued or rejected can be taken back for a day; what a reviewer rejected, as long as the
 * post is there.
 */
export async function pruneErrorBatches(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM error_batch b WHERE at < now() - interval '1 day'
       AND (kind <> 'review' OR NOT EXISTS (SELECT FROM error_batch_entry e WHERE e.batch_id = b.id))`;
}
