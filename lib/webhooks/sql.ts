import type { AlertChange } from "#lib/alerts/watch-alerts.ts";
import { db, type Tx } from "#lib/db.ts";
import type { WebhookEvent } from "./schema.ts";

export interface WebhookRow {
  id: number;
  name: string;
  url: string;
  events: WebhookEvent[];
  api_key_id: number | null;
  key_name: string | null;
  created_by: string;
  created_at: Date;
  disabled_at: Date | null;
  disabled_why: "member" | "failing" | "gone" | null;
  failing_since: Date | null;
  last_success_at: Date | null;
  old_secret_until: Date | null;
  waiting: number;
}

/** Newest first. `owner`: only those that the member made for keys of the member; `id`: only this one. */
export async function webhookRows(
  owner: number | null,
  id: number | null,
  tx: Tx = db,
): Promise<WebhookRow[]> {
  return tx.$queryRaw<WebhookRow[]>`
    SELECT w.id, w.name, w.url, w.events, w.api_key_id, k.name AS key_name, m.name AS created_by, w.created_at,
           w.disabled_at, w.disabled_why, w.failing_since, w.last_success_at,
           CASE WHEN w.old_secret_until > now() THEN w.old_secret_until END AS old_secret_until,
           (SELECT count(*)::int FROM webhook_delivery d WHERE d.webhook_id = w.id AND d.state = 'pending') AS waiting
      FROM webhook w JOIN member m ON m.id = w.created_by LEFT JOIN api_key k ON k.id = w.api_key_id
     WHERE (${owner}::int IS NULL OR (w.created_by = ${owner}::int AND k.created_by = ${owner}::int))
       AND (${id}::int IS NULL OR w.id = ${id}::int)
     ORDER BY w.id DESC LIMIT 1000`;
}

/** Locks the member, so that two calls cannot both make the last one. */
export async function countWebhooksOf(tx: Tx, memberId: number): Promise<number> {
  await tx.$executeRaw`SELECT FROM member WHERE id = ${memberId} FOR UPDATE`;
  return tx.webhook.count({ where: { created_by: memberId } });
}

export async function nextWebhookId(tx: Tx): Promise<number> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT nextval(pg_get_serial_sequence('webhook', 'id'))::int AS id`;
  return (rows[0] as { id: number }).id;
}

export async function cancelWaiting(tx: Tx, webhookId: number): Promise<void> {
  await tx.webhook_delivery.updateMany({
    where: { webhook_id: webhookId, state: "pending" },
    data: { state: "canceled" },
  });
}

/** A message with its webhook, as claimed for one attempt. */
export interface DueRow {
  id: string;
  webhook_id: number;
  event: string;
  data: { post_ids?: number[]; stream_ids?: number[]; alert_ids?: number[] };
  created_at: Date;
  attempts: number;
  url: string;
  secret: Uint8Array;
  old_secret: Uint8Array | null;
}

/** A killed process leaves its messages due again after this time. */
const CLAIM_SECONDS = 60;

/** Messages about posts, from the log lines since the last call. */
export async function writeAvailable(): Promise<void> {
  await db.$executeRaw`SELECT tell_available()`;
}

/**
 * At most one message of a webhook, and none while another one is being sent, so that a slow receiver delays only its
 * own and gets them in order. `id`: only this message.
 */
export async function claimDue(limit: number, id: string | null): Promise<DueRow[]> {
  return db.$queryRaw<DueRow[]>`
    WITH due AS (
      SELECT DISTINCT ON (d.webhook_id) d.id, d.next_attempt_at
        FROM webhook_delivery d
       WHERE d.state = 'pending' AND d.next_attempt_at <= now()
         AND CASE WHEN ${id}::uuid IS NOT NULL THEN d.id = ${id}::uuid
                  ELSE d.webhook_id NOT IN (
                         SELECT webhook_id FROM webhook_delivery
                          WHERE state = 'pending' AND attempts > 0 AND error IS NULL AND next_attempt_at > now()) END
       ORDER BY d.webhook_id, d.seq
    ), claimed AS (
      SELECT d.id FROM webhook_delivery d
       WHERE d.id IN (SELECT due.id FROM due ORDER BY next_attempt_at LIMIT ${limit})
         AND d.state = 'pending' AND d.next_attempt_at <= now() FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_delivery d
       SET attempts = d.attempts + 1, last_attempt_at = now(), status = NULL, error = NULL,
           next_attempt_at = now() + ${CLAIM_SECONDS}::int * interval '1 second'
      FROM claimed c, webhook w WHERE d.id = c.id AND w.id = d.webhook_id
    RETURNING d.id, d.webhook_id, d.event, d.data, d.created_at, d.attempts, w.url, w.secret,
              CASE WHEN w.old_secret_until > now() THEN w.old_secret END AS old_secret`;
}

/** Whether the webhook may still be told: rights may have ended since the message was written. */
export async function mayBeTold({ webhook_id, event }: DueRow): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM webhooks_for(${event}) w WHERE w.id = ${webhook_id}::int) AS found`;
  return rows[0]?.found === true;
}

/** The posts among `postIds` that are still in this state of the queue, also those that are held again. */
export async function postsInState(postIds: number[], state: "pending" | "error"): Promise<number[]> {
  const rows = await db.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry WHERE post_id = ANY (${postIds}::int[]) AND state = ${state}
     ORDER BY post_id`;
  return rows.map((row) => row.post_id);
}

export interface FailingStreamRow {
  id: number;
  hashtag: string;
  instance: string;
  last_error: string;
}

export async function streamRows(streamIds: number[]): Promise<FailingStreamRow[]> {
  const rows = await db.stream.findMany({
    where: { id: { in: streamIds }, last_error: { not: null } },
    select: { id: true, hashtag: true, instance: true, last_error: true },
    orderBy: { id: "asc" },
  });
  return rows.map((row) => ({ ...row, last_error: row.last_error ?? "" }));
}

export interface Attempt {
  status: number | null;
  error: string | null;
}

/** Does nothing when another process has the message by now. */
export async function recordSuccess(
  { id, attempts, webhook_id }: DueRow,
  { status }: Attempt,
): Promise<void> {
  await db.$executeRaw`
    WITH done AS (
      UPDATE webhook_delivery SET state = 'delivered', status = ${status}::smallint, error = NULL
       WHERE id = ${id}::uuid AND state = 'pending' AND attempts = ${attempts}::smallint RETURNING webhook_id
    )
    UPDATE webhook SET last_success_at = now(), failing_since = NULL WHERE id = ${webhook_id} AND EXISTS (SELECT FROM done)`;
}

/** Makes a message due now, unless it is being sent. Returns whether there is such a message. */
export async function reopenMessage(webhookId: number, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH reopened AS (
      UPDATE webhook_delivery SET state = 'pending', next_attempt_at = now() - interval '1 second'
       WHERE id = ${id}::uuid AND webhook_id = ${webhookId}::int
         AND NOT (state = 'pending' AND attempts > 0 AND error IS NULL AND next_attempt_at > now())
    )
    SELECT id::text FROM webhook_delivery WHERE id = ${id}::uuid AND webhook_id = ${webhookId}::int`;
  return rows.length > 0;
}

export async function cancelMessage({ id, attempts }: DueRow): Promise<void> {
  await db.webhook_delivery.updateMany({
    where: { id, state: "pending", attempts },
    data: { state: "canceled" },
  });
}

/**
 * @param delay seconds until the next attempt; null: there is none
 * @returns since when the webhook fails; null when another process has the message by now
 */
export async function recordFailure(
  { id, attempts, webhook_id }: DueRow,
  { status, error }: Attempt,
  delay: number | null,
): Promise<{ failing_seconds: number } | null> {
  const rows = await db.$queryRaw<{ failing_seconds: number }[]>`
    WITH done AS (
      UPDATE webhook_delivery
         SET state = CASE WHEN ${delay}::int IS NULL THEN 'failed' ELSE 'pending' END,
             next_attempt_at = now() + coalesce(${delay}::int, 0) * interval '1 second',
             status = ${status}::smallint, error = ${error}::text
       WHERE id = ${id}::uuid AND state = 'pending' AND attempts = ${attempts}::smallint RETURNING webhook_id
    )
    UPDATE webhook SET failing_since = coalesce(failing_since, now())
     WHERE id = ${webhook_id} AND EXISTS (SELECT FROM done)
    RETURNING extract(epoch FROM now() - coalesce(failing_since, now()))::float8 AS failing_seconds`;
  return rows[0] ?? null;
}

/**
 * Reports a queue that became empty, once, until it is filled again. Empty: no post that could be handed out, now or
 * after a pause.
 */
export async function noteEmptyQueues(): Promise<number> {
  return db.$executeRaw`
    WITH seen AS (
      SELECT w.id, w.stream_ids,
             NOT EXISTS (SELECT FROM queue_entry q
                          WHERE q.state = 'pending' AND q.holds = 0
                            AND (cardinality(w.stream_ids) = 0 OR q.stream_id = ANY (w.stream_ids))) AS is_empty
        FROM webhooks_for('queue.empty') w
    ), changed AS (
      UPDATE webhook w SET queue_was_empty = s.is_empty FROM seen s
       WHERE w.id = s.id AND w.queue_was_empty <> s.is_empty RETURNING w.id, s.is_empty
    )
    INSERT INTO webhook_delivery (webhook_id, event) SELECT id, 'queue.empty' FROM changed WHERE is_empty`;
}

/** Reports streams that were not fetched for twice their interval because of an error, each once until it recovers. */
export async function noteFailingStreams(): Promise<number> {
  return db.$executeRaw`
    WITH failing AS MATERIALIZED (
      SELECT id FROM stream
       WHERE active AND last_error IS NOT NULL
         AND coalesce(last_fetch, created_at) < now() - greatest(30, 2 * fetch_interval_minutes) * interval '1 minute'
    ), seen AS (
      SELECT w.id, ARRAY(SELECT f.id FROM failing f
                          WHERE cardinality(w.stream_ids) = 0 OR f.id = ANY (w.stream_ids) ORDER BY f.id) AS failing
        FROM webhooks_for('stream.failing') w
    ), changed AS (
      UPDATE webhook w SET failing_streams = s.failing
        FROM seen s, (SELECT id, failing_streams FROM webhook) former
       WHERE w.id = s.id AND former.id = w.id AND w.failing_streams <> s.failing
      RETURNING w.id, ARRAY(SELECT unnest(s.failing) EXCEPT SELECT unnest(former.failing_streams) ORDER BY 1) AS fresh
    )
    INSERT INTO webhook_delivery (webhook_id, event, data)
    SELECT id, 'stream.failing', jsonb_build_object('stream_ids', to_jsonb(fresh)) FROM changed WHERE cardinality(fresh) > 0`;
}

/** Messages about alerts. A webhook with a key is told about the silence of this key only. */
export async function writeAlerts(tx: Tx, { started, ended }: AlertChange): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO webhook_delivery (webhook_id, event, data)
    SELECT h.id, e.event, jsonb_build_object('alert_ids', jsonb_agg(a.id ORDER BY a.id))
      FROM (VALUES ('key.silent', ${started}::int[]), ('backup.failed', ${started}::int[]),
                   ('alert.started', ${started}::int[]), ('alert.ended', ${ended}::int[])) e (event, alert_ids)
      CROSS JOIN LATERAL webhooks_for(e.event) w JOIN webhook h ON h.id = w.id
      JOIN alert a ON a.id = ANY (e.alert_ids) AND a.rule = CASE WHEN e.event LIKE 'alert.%' THEN a.rule ELSE e.event END
       AND (h.api_key_id IS NULL OR e.event = 'key.silent' AND a.subject = h.api_key_id)
     GROUP BY h.id, e.event`;
}

/** Keeps 30 days. */
export async function pruneMessages(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM webhook_delivery WHERE id IN (
      SELECT id FROM webhook_delivery WHERE created_at < now() - interval '30 days' LIMIT 10000)`;
}
