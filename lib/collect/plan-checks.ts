import { db, Prisma } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { streamsInUse } from "#lib/queue/pool.ts";

/** Most entries whose hold one statement changes. */
const BATCH = 5_000;
/** Posts that are kept confirmed beyond what the deliveries need. */
const MARGIN = 20;
/** Number of confirmed posts besides the next ones, so that a random order has a choice. */
const RANDOM_MARGIN = 64;
const MAX_AHEAD = 1_000;
/** Most streams for which one call plans checks. */
const MAX_STREAMS = 20;
/** Without CONFIRM_WITHIN_HOURS: number of posts of each order, and their interval in hours. */
const WITHOUT_SETTING = { ahead: 100, hours: 6 };

/**
 * Holds posts whose confirmation has expired, and makes checks due: of the head of the queue, of the topical posts of today and
 * tomorrow, of streams that bots ask for, and of the posts that were confirmed longest ago. Keeps as many posts confirmed as
 * a quarter of a day's deliveries needs, however long the queue is.
 */
export async function planSourceChecks({ deadline }: { deadline: Date }): Promise<{ worked: boolean }> {
  const { CONFIRM_WITHIN_HOURS: hours, TIME_ZONE } = env();
  await dropSettledChecks();
  while ((await expireConfirmations(hours)) === BATCH && Date.now() < deadline.getTime());
  if (hours === 0) while ((await liftUnconfirmed()) === BATCH && Date.now() < deadline.getTime());

  const perDay = await deliveriesPerDay();
  const needed = Math.ceil((perDay * Math.min(24, hours)) / 24 / 4) + MARGIN;
  const count = hours === 0 ? WITHOUT_SETTING.ahead : Math.min(MAX_AHEAD, needed);
  // Early enough for several attempts before the confirmation expires.
  const minutes = hours === 0 ? WITHOUT_SETTING.hours * 60 : hours * 45;
  const first: CheckOrder[] = [{ where: Prisma.empty, by: "approved_at", count }];
  const tags = await topicalTagsAhead(TIME_ZONE);
  if (tags.length > 0)
    first.push({ where: Prisma.sql`AND q.tags && ${tags}::text[]`, by: "approved_at", count });
  let wanted = 0;
  for (const ahead of [...first, ...(await streamsAhead(count))])
    wanted += await wantChecksAhead(ahead, minutes);
  const stock = count + RANDOM_MARGIN;
  const lacking = stock - (await confirmedCount(minutes, stock));
  wanted += await wantChecksAhead({ where: Prisma.empty, by: "confirmed_at", count: lacking }, minutes);
  return { worked: wanted > 0 };
}

/** Orders of at most `MAX_STREAMS` streams, from a random one on. */
async function streamsAhead(ahead: number): Promise<CheckOrder[]> {
  const used = await streamsInUse();
  const number = Math.min(MAX_STREAMS, used.length);
  const from = Math.floor(Math.random() * used.length);
  const count = Math.ceil(ahead / Math.max(1, number)) + MARGIN;
  return [...used, ...used]
    .slice(from, from + number)
    .map((id) => ({ where: Prisma.sql`AND q.stream_id = ${id}::int`, by: "approved_at", count }));
}

/** Deliveries of the last day, or the average of three days if that is more. */
async function deliveriesPerDay(): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT ceil(greatest(coalesce(sum(n) FILTER (WHERE at > now() AT TIME ZONE 'UTC' - interval '1 day'), 0),
                         coalesce(sum(n), 0) / 3.0))::int AS n
      FROM tally_now('{hour}')
     WHERE metric = 'delivered'
       AND at > now() AT TIME ZONE 'UTC' - interval '3 days'`;
  return rows[0]?.n ?? 0;
}

/** Most due checks of a failing host: enough to notice that it answers again. */
const MAX_PER_FAILING_HOST = 5;
/** Most posts that are read in search of posts of other hosts. */
const MAX_REACH = 20_000;

/** An order in which posts are handed out, and how many of its next posts are kept confirmed. */
interface CheckOrder {
  /** SQL: condition on queue entries `q`. */
  where: Prisma.Sql;
  by: "approved_at" | "confirmed_at";
  count: number;
}

/** Topical hashtags of today and tomorrow. */
async function topicalTagsAhead(timeZone: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ tags: string[] }[]>`
    SELECT coalesce(array_agg(DISTINCT hashtag_folded), '{}') AS tags
      FROM topical_tag, generate_series(now(), now() + interval '1 day', '1 day') at
     WHERE day_of_week = extract(dow FROM at AT TIME ZONE ${timeZone})
        OR month_day = to_char(at AT TIME ZONE ${timeZone}, 'MM-DD')`;
  return rows[0]?.tags ?? [];
}

/** Number of eligible posts that were confirmed in the last `minutes`, at most `limit`. */
async function confirmedCount(minutes: number, limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM queue_entry q
       WHERE q.state = 'pending' AND q.holds = 0 AND q.not_before IS NULL
         AND q.confirmed_at > now() - ${minutes}::int * interval '1 minute' LIMIT ${limit}) confirmed`;
  return rows[0]?.n ?? 0;
}

/**
 * Makes checks due of the next posts that were confirmed more than `minutes` ago. Posts of failing hosts do not count:
 * the posts behind them are checked too.
 *
 * @returns the number of new checks
 */
async function wantChecksAhead(ahead: CheckOrder, minutes: number): Promise<number> {
  let wanted = 0;
  for (let reach = ahead.count; reach > 0; reach = Math.min(2 * reach, MAX_REACH)) {
    const { total, answering, inserted } = await wantWithin(ahead, minutes, reach);
    wanted += inserted;
    if (answering >= ahead.count || total < reach || reach >= MAX_REACH) break;
  }
  return wanted;
}

async function wantWithin(
  { where, by, count }: CheckOrder,
  minutes: number,
  reach: number,
): Promise<{ total: number; answering: number; inserted: number }> {
  const order = Prisma.sql`${Prisma.raw(by)}, post_id`;
  const rows = await db.$queryRaw<{ total: number; answering: number; inserted: number }[]>`
    WITH failing AS MATERIALIZED (
      SELECT host AS name FROM host_state
       WHERE (state ->> 'failures')::int > 0 OR (state ->> 'throttles')::int > 0
    ), next AS MATERIALIZED (
      SELECT q.post_id, q.approved_at, q.confirmed_at FROM (
        SELECT * FROM queue_entry WHERE state = 'pending' AND holds = 0 AND not_before IS NULL
        UNION ALL SELECT * FROM queue_entry WHERE state = 'pending' AND holds = 4 AND not_before IS NULL) q
       WHERE true ${where} ORDER BY ${order} LIMIT ${reach}::int
    ), ahead AS MATERIALIZED (
      SELECT next.*, p.host, p.host IN (SELECT name FROM failing) AS fails
        FROM next JOIN LATERAL (SELECT uri_host(uri) AS host FROM post WHERE id = next.post_id) p ON true
    ), placed AS (
      SELECT post_id, host, confirmed_at,
             row_number() OVER (PARTITION BY CASE WHEN fails THEN host END ORDER BY ${order})
               <= CASE WHEN fails THEN ${MAX_PER_FAILING_HOST}::int ELSE ${count}::int END AS is_next
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

/** Removes the checks of rejected and delivered posts. */
async function dropSettledChecks(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM source_check WHERE post_id IN (
      SELECT c.post_id FROM (SELECT post_id FROM source_check WHERE due_at <= now() ORDER BY due_at LIMIT 500) c
        JOIN post p ON p.id = c.post_id LEFT JOIN queue_entry q ON q.post_id = c.post_id
       WHERE p.approved IS FALSE OR q.state IN ('delivered', 'error'))`;
}

/** Holds expired entries. Returns their number. */
async function expireConfirmations(hours: number): Promise<number> {
  const rows = await db.$queryRaw<{ n: number }[]>`
    SELECT queue_sweep(confirmed_since(${hours}::int), ${BATCH}::int) AS n`;
  return rows[0]?.n ?? 0;
}

/** Lifts the hold, in batches, once CONFIRM_WITHIN_HOURS is 0. Restored entries stay held until they are confirmed. */
function liftUnconfirmed(): Promise<number> {
  return db.$executeRaw`
    UPDATE queue_entry SET holds = holds & ~4::smallint WHERE post_id IN (
      SELECT post_id FROM queue_entry
       WHERE state = 'pending' AND holds >= 4 AND holds & 4 <> 0 AND confirmed_at > confirmed_since(0)
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
}
