import { db, type Tx } from "#lib/base/db.ts";
import type { stream } from "#prisma/generated/client.ts";
import type { Alert } from "./alerts.ts";

const ALERTS_LOCK = 7109;

export interface AlertRow extends Alert {
  ended_at: Date | null;
}

/** Whether alerts may start now. */
export async function mayStart(): Promise<boolean> {
  const rows = await db.$queryRaw<{ may: boolean }[]>`SELECT alerts_from <= now() AS may FROM installation`;
  return rows[0]?.may === true;
}

/**
 * Notes that alerts are checked now, and lets one process do it at a time.
 *
 * @param maxGap minutes since the check before. After a longer gap no alert starts for ten minutes; null: after no gap
 * @returns whether alerts may start now
 */
export async function noteCheck(tx: Tx, maxGap: number | null): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${ALERTS_LOCK})`;
  const rows = await tx.$queryRaw<{ may: boolean }[]>`
    UPDATE installation
       SET alerts_checked_at = now(),
           alerts_from = CASE WHEN alerts_checked_at < now() - ${maxGap}::int * interval '1 minute'
                              THEN greatest(alerts_from, now() + interval '10 minutes') ELSE alerts_from END
    RETURNING alerts_from <= now() AS may`;
  return rows[0]?.may === true;
}

/** Opens an alert for each condition that has none. @returns their ids */
export async function startAlerts(tx: Tx, found: readonly Alert[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    INSERT INTO alert (rule, subject, title)
    SELECT rule, subject, title FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb) AS f (rule text, subject int, title text)
    ON CONFLICT (rule, subject) WHERE ended_at IS NULL DO NOTHING
    RETURNING id`;
  return rows.map(({ id }) => id);
}

/**
 * Ends open alerts.
 *
 * @param found conditions that hold now
 * @param minutes for which a condition must not have held
 * @returns ids of the ended alerts, lowest first
 */
export async function endAlerts(tx: Tx, found: readonly Alert[], minutes: number): Promise<number[]> {
  await tx.$executeRaw`
    UPDATE alert a SET clear_since = CASE WHEN f.rule IS NULL THEN now() END
      FROM alert o LEFT JOIN jsonb_to_recordset(${JSON.stringify(found)}::jsonb) AS f (rule text, subject int)
        ON f.rule = o.rule AND f.subject = o.subject
     WHERE a.id = o.id AND o.ended_at IS NULL AND (f.rule IS NULL) = (o.clear_since IS NULL)`;
  const rows = await tx.$queryRaw<{ id: number }[]>`
    UPDATE alert SET ended_at = now()
     WHERE ended_at IS NULL AND clear_since <= now() - ${minutes}::int * interval '1 minute' RETURNING id`;
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Alerts by id, without those about keys that were revoked since. */
export async function alertRows(ids: readonly number[]): Promise<AlertRow[]> {
  return db.$queryRaw<AlertRow[]>`
    SELECT a.rule, a.subject, a.title, a.ended_at FROM alert a
     WHERE a.id = ANY (${ids}::int[])
       AND NOT (a.rule = 'key.silent' AND NOT EXISTS (
             SELECT FROM api_key k WHERE k.id = a.subject AND k.revoked_at IS NULL))
     ORDER BY a.id`;
}

/** Deletes alerts that ended more than 30 days ago. */
export async function pruneAlerts(): Promise<void> {
  await db.$executeRaw`DELETE FROM alert WHERE ended_at < now() - interval '30 days'`;
}

const SILENT_STREAMS = 100;

/**
 * Active streams without a successful fetch for a day. Streams that are fetched on demand count only after a failure,
 * and a resumed stream has 15 minutes for its first fetch.
 */
export function listSilentStreams(): Promise<Pick<stream, "id" | "hashtag" | "instance">[]> {
  return db.$queryRaw`
    SELECT id, hashtag, instance FROM stream
     WHERE active AND coalesce(last_fetch, created_at) < now() - interval '1 day 15 minutes'
       AND (last_error IS NOT NULL OR next_scheduled_fetch < now() - interval '15 minutes')
     ORDER BY id LIMIT ${SILENT_STREAMS}`;
}
