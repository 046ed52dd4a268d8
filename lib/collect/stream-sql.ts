import { db, type Prisma, type Tx } from "#lib/base/db.ts";
import type { StreamSetting, StreamSettings } from "./settings-schema.ts";

type Columns = Prisma.streamGetPayload<object>;

/** A row of `stream`; a setting without a column fails to compile. */
export type StreamRow = Omit<Columns, StreamSetting> & Pick<Columns, StreamSetting> & StreamSettings;

export async function lockStream(tx: Tx, id: number): Promise<StreamRow | null> {
  const rows = await tx.$queryRaw<StreamRow[]>`SELECT * FROM stream WHERE id = ${id} FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * Uses the database's clock.
 *
 * @param change.newSource resets the cursor and a running fetch's lease
 * @param change.resumed the first fetch is due at once
 */
export async function updateSchedule(
  tx: Tx,
  id: number,
  change: { newSource: boolean; resumed: boolean },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE stream SET updated_at = now(), next_scheduled_fetch = CASE
        WHEN NOT (active AND enable_scheduling) THEN NULL
        WHEN ${change.resumed || change.newSource}::boolean THEN now()
        -- A shorter interval takes effect now, a longer one after the next fetch.
        ELSE least(coalesce(next_scheduled_fetch, now()),
                   now() + fetch_interval_minutes * interval '1 minute') END
    WHERE id = ${id}`;
  if (!change.newSource) return;
  await tx.$executeRaw`
    UPDATE stream SET cursor = '{}', fetch_lease = NULL, fetch_lease_until = NULL, last_error = NULL, last_error_kind = NULL, error_count = 0,
                      failing_since = NULL, behind_since = NULL, last_fetch = NULL, last_check = NULL,
                      platform = (SELECT software FROM host_state WHERE host = stream.instance)
    WHERE id = ${id}`;
}

/** The streams among `ids` that have stored a post or seen a stored one, also when it was deleted since. */
export async function streamsWithPosts(ids: number[], tx: Tx = db): Promise<Set<number>> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT s.id FROM stream s
     WHERE s.id = ANY (${ids}::int[])
       AND (EXISTS (SELECT FROM sighting WHERE stream_id = s.id)
            OR EXISTS (SELECT FROM post WHERE stream_id = s.id)
            OR EXISTS (SELECT FROM tally_now('{total}')
                        WHERE key = s.id::text AND metric = 'fetched' AND n > 0))`;
  return new Set(rows.map((row) => row.id));
}
