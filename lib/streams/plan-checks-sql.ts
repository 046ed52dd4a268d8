import { db } from "#lib/db.ts";
import type { ReserveKind } from "#lib/queue/note-use.ts";

/** Posts that a kind of reservation chooses from, and how many of the next ones are confirmed ahead. */
export interface Pool {
  random: boolean;
  /** Streams of a bound key; empty for all. */
  streams: number[];
  tags: string[] | null;
  count: number;
}

/** Stream sets of bound keys that one call plans checks for; calls rotate through them. */
const MAX_BOUND = 20;

/** Kinds of the last three days; without any, the default of `GET /curated/next`. */
export async function kindsInUse(): Promise<ReserveKind[]> {
  const rows = await db.$queryRaw<{ kind: ReserveKind }[]>`
    SELECT kind FROM queue_use WHERE used_at > now() - interval '3 days' ORDER BY kind`;
  return rows.length === 0 ? ["oldest"] : rows.map(({ kind }) => kind);
}

/** Deliveries of the last day, or the average of three days if that is more. */
export async function deliveriesPerDay(): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT ceil(greatest(coalesce(sum(n) FILTER (WHERE at > now() AT TIME ZONE 'UTC' - interval '1 day'), 0),
                         coalesce(sum(n), 0) / 3.0))::int AS n
      FROM figure_now('{all}', 'hour')
     WHERE metric = 'delivered' AND bucket = -1
       AND at > now() AT TIME ZONE 'UTC' - interval '3 days'`;
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

/** Random, so that each process begins with another set. */
let turn = Math.floor(Math.random() * 1_000_000);

/** Stream sets of keys that reserved within three days, at most `MAX_BOUND`; calls rotate through them. */
export async function streamsOfKeys(): Promise<number[][]> {
  const rows = await db.$queryRaw<{ stream_ids: number[] }[]>`
    SELECT DISTINCT stream_ids FROM api_key
     WHERE cardinality(stream_ids) > 0 AND 'consume' = ANY (scopes) AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > now()) AND last_used_at > now() - interval '3 days'
     ORDER BY stream_ids`;
  const all = rows.map(({ stream_ids }) => stream_ids);
  if (all.length <= MAX_BOUND) return all;
  const from = turn % all.length;
  turn = from + MAX_BOUND;
  return [...all, ...all].slice(from, from + MAX_BOUND);
}

/** Checks of one failing host that are wanted at a time: enough to notice that it answers again. */
const OF_FAILING_HOST = 5;
/** Most posts of a pool that are read to get past those of failing hosts. */
const MAX_REACH = 20_000;

/**
 * Makes checks due of the next posts of a pool that were confirmed more than `minutes` ago. Posts of failing hosts do
 * not count: the posts behind them are checked too.
 *
 * @returns the number of new checks
 */
export async function wantChecksAhead(pool: Pool, minutes: number): Promise<number> {
  let wanted = 0;
  for (let reach = pool.count; ; reach = Math.min(2 * reach, MAX_REACH)) {
    const { total, answering, inserted } = await wantWithin(pool, minutes, reach);
    wanted += inserted;
    if (answering >= pool.count || total < reach || reach >= MAX_REACH) return wanted;
  }
}

async function wantWithin(
  pool: Pool,
  minutes: number,
  reach: number,
): Promise<{ total: number; answering: number; inserted: number }> {
  const rows = await db.$queryRaw<{ total: number; answering: number; inserted: number }[]>`
    WITH failing AS MATERIALIZED (
      SELECT name FROM host_state, unnest(ARRAY[host, home]) name
       WHERE (state ->> 'failures')::int > 0 OR (state ->> 'throttles')::int > 0
    ), ahead AS MATERIALIZED (
      SELECT q.post_id, q.confirmed_at, p.host, p.host IN (SELECT name FROM failing WHERE name IS NOT NULL) AS fails, a.place
        FROM export_setting s,
             LATERAL queue_ahead(s.require_media::int + 2 * s.require_alt_text::int + 4 * s.auto_reject_bots::int,
               ${pool.streams}::int[], ${pool.tags}::text[], ${pool.random}::boolean, ${reach}::int)
               WITH ORDINALITY a (post_id, place)
        JOIN queue_entry q ON q.post_id = a.post_id
        JOIN LATERAL (SELECT uri_host(uri) AS host FROM post WHERE id = q.post_id) p ON true
       WHERE s.id = 1
    ), placed AS (
      SELECT post_id, host, confirmed_at,
             row_number() OVER (PARTITION BY CASE WHEN fails THEN host END ORDER BY place)
               <= CASE WHEN fails THEN ${OF_FAILING_HOST}::int
                       -- With the authors' oldest posts, and those of the next day.
                       ELSE ${pool.random ? 3 * pool.count : pool.count}::int END AS is_next
        FROM ahead
    ), inserted AS (
      INSERT INTO source_check (post_id, host)
      SELECT post_id, host FROM placed
       WHERE is_next AND confirmed_at < now() - ${minutes}::int * interval '1 minute' ORDER BY post_id
      ON CONFLICT (post_id) DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM ahead)::int AS total, (SELECT count(*) FROM ahead WHERE NOT fails)::int AS answering,
           (SELECT count(*) FROM inserted)::int AS inserted`;
  return rows[0] ?? { total: 0, answering: 0, inserted: 0 };
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

/** Lifts the hold, in batches, once CONFIRM_WITHIN_HOURS is 0. Restored entries stay held until they are confirmed. */
export function liftUnconfirmed(limit: number): Promise<number> {
  return db.$executeRaw`
    UPDATE queue_entry SET holds = holds & ~4::smallint WHERE post_id IN (
      SELECT post_id FROM queue_entry WHERE state = 'pending' AND holds & 4 <> 0 AND confirmed_at > before_restore()
       ORDER BY post_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
}
