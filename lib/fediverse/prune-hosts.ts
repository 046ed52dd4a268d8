import { db } from "#lib/base/db.ts";

const KEEP_DAYS = 30;
/** Most rows of hosts without token and stream. */
const KEEP_HOSTS = 10_000;
const BATCH = 5_000;

/**
 * Deletes rows of hosts not asked for 30 days, and the oldest above 10 000. Keeps hosts with a token, a stream, a wait
 * that has not ended or a request of the last five minutes.
 */
export async function pruneHosts(): Promise<void> {
  // `token` is compared again once a row is locked, so a token set meanwhile keeps it.
  await db.$executeRaw`
    DELETE FROM host_state h
     WHERE h.token IS NULL AND h.host IN (
       SELECT c.host FROM host_state c
        WHERE c.token IS NULL
          AND NOT EXISTS (SELECT FROM stream s WHERE s.instance = c.host)
          AND coalesce((c.state ->> 'wait_until')::float8, 0) / 1000 < extract(epoch FROM now())
          AND c.updated_at < now() - interval '5 minutes'
          AND (c.updated_at < now() - ${KEEP_DAYS} * interval '1 day'
               OR c.updated_at < (SELECT updated_at FROM host_state ORDER BY updated_at DESC
                                  OFFSET ${KEEP_HOSTS - 1}::int LIMIT 1))
        ORDER BY c.updated_at LIMIT ${BATCH}::int)`;
}
