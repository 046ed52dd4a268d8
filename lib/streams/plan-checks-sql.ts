import { db } from "#lib/db.ts";
import type { ReserveKind } from "#lib/queue/note-use.ts";

/** Posts that a kind of reservation chooses from, and how many of the next ones are confirmed ahead. */
export interface Pool {
  random: boolean;
  /** Of a bound key; empty for all. */
  streams: number[];
  tags: string[] | null;
  count: number;
}

/** Most pools of bound keys. */
const MAX_BOUND = 20;

/** Kinds of the last three days; without any, the default of `GET /curated/next`. */
export async function kindsInUse(): Promise<ReserveKind[]> {
  const rows = await db.$queryRaw<{ kind: ReserveKind }[]>`
    SELECT kind FROM queue_use WHERE used_at > now() - interval '3 days' ORDER BY kind`;
  return rows.length === 0 ? ["oldest"] : rows.map(({ kind }) => kind);
}

/** Of the last day, or the average of three days if that is more. */
export async function deliveriesPerDay(): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT ceil(greatest(coalesce(sum(deliveries) FILTER (WHERE hour > now() - interval '1 day'), 0),
                         coalesce(sum(deliveries), 0) / 3.0))::int AS n
      FROM counter_hourly WHERE hour > now() - interval '3 days'`;
  return rows[0]?.n ?? 0;
}

export async function tagsOfThisAndTheNextDay(timeZone: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ tag: string }[]>`
    SELECT DISTINCT hashtag_folded AS tag FROM topical_tag,
           unnest(ARRAY[now(), now() + interval '6 hours']) AS at (time)
     WHERE day_of_week = extract(dow FROM at.time AT TIME ZONE ${timeZone}::text)
        OR month_day = to_char(at.time AT TIME ZONE ${timeZone}::text, 'MM-DD')`;
  return rows.map(({ tag }) => tag);
}

/** Of keys that reserved within three days. */
export async function streamsOfKeys(): Promise<number[][]> {
  const rows = await db.$queryRaw<{ stream_ids: number[] }[]>`
    SELECT DISTINCT stream_ids FROM api_key
     WHERE cardinality(stream_ids) > 0 AND 'consume' = ANY (scopes) AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > now()) AND last_used_at > now() - interval '3 days'
     LIMIT ${MAX_BOUND}`;
  return rows.map(({ stream_ids }) => stream_ids);
}

/**
 * Makes checks due of the next posts of a pool that were confirmed more than `minutes` ago.
 *
 * @returns the number of new checks
 */
export function wantChecksAhead(pool: Pool, minutes: number): Promise<number> {
  return db.$executeRaw`
    INSERT INTO source_check (post_id, host)
    SELECT q.post_id, uri_host(p.uri)
      FROM export_setting s,
           LATERAL queue_ahead(s.require_media::int + 2 * s.require_alt_text::int + 4 * s.auto_reject_bots::int,
             ${pool.streams}::int[], ${pool.tags}::text[], ${pool.random}::boolean, ${pool.count}::int) ahead (post_id)
      JOIN queue_entry q ON q.post_id = ahead.post_id JOIN post p ON p.id = q.post_id
     WHERE s.id = 1 AND q.confirmed_at < now() - ${minutes}::int * interval '1 minute'
     ORDER BY q.post_id
    ON CONFLICT (post_id) DO NOTHING`;
}

/** Rejected and delivered posts are not checked any more. */
export async function dropSettledChecks(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM source_check WHERE post_id IN (
      SELECT c.post_id FROM (SELECT post_id FROM source_check WHERE due_at <= now() ORDER BY due_at LIMIT 500) c
        JOIN post p ON p.id = c.post_id LEFT JOIN queue_entry q ON q.post_id = c.post_id
       WHERE p.approved IS FALSE OR q.state IN ('delivered', 'error'))`;
}

/** Holds expired entries. Returns their number. */
export async function expireConfirmations(hours: number, limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT queue_expire(confirmed_since(${hours}::int), ${limit}::int) AS n`;
  return rows[0]?.n ?? 0;
}

/** Lifts the hold of all entries, in batches, once CONFIRM_WITHIN_HOURS is 0. */
export function liftUnconfirmed(limit: number): Promise<number> {
  return db.$executeRaw`
    UPDATE queue_entry SET holds = holds & ~4::smallint WHERE post_id IN (
      SELECT post_id FROM queue_entry WHERE state = 'pending' AND holds & 4 <> 0
       ORDER BY post_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
