import { beforeAll, describe, expect, test, vi } from "vitest";
import { db, Prisma } from "#lib/base/db.ts";
import { today as presentDay } from "#lib/base/today.ts";
import { forgetAuthors } from "#lib/collect/forget-authors.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { getStats, getStreamStats } from "#lib/stats/get-stats.ts";
import { vacuum } from "#tests/integration/database/large-table.ts";

// PostgreSQL counts rows read by connection, so there is one.
vi.hoisted(() => {
  process.env.DATABASE_POOL_SIZE = "1";
});

const STREAMS = 20;
const POSTS = 20_000;
const ERRORS = 2_000;
const today = presentDay();

const EVENTS = ["fetched", "approved", "rejected", "auto_rejected", "delivered", "errors"];

/** Adds figures of past days. */
async function addPast(days: Prisma.Sql): Promise<void> {
  await db.$executeRaw`
    INSERT INTO tally (kind, key, metric, at, n)
    SELECT kind, key, metric, ${today}::date::timestamp - d * interval '1 day', sum(n)
      FROM (${days}) past (kind, key, metric, d, n)
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 ON CONFLICT DO NOTHING`;
}

/** A million posts in a quarter by the figures. Fewer are stored, because none may be read. */
beforeAll(async () => {
  await db.$executeRaw`INSERT INTO stream (hashtag, hashtag_folded, instance)
    SELECT 'tag' || n, 'tag' || n, 'm.example' FROM generate_series(1, ${STREAMS}::int) n`;
  await db.$executeRaw`
    INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, stream_id, approved, reviewed_at)
    SELECT 'https://h.example/' || n, 'u', '@u@h.example', 'u@h.example', 'host' || n % 3000 || '.example', now(),
           1 + n % ${STREAMS}::int, true, now() FROM generate_series(1, ${POSTS}::int) n`;
  await db.$executeRaw`
    INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, author_key, errored_at, error_reason, error_details)
    SELECT id, CASE WHEN id <= ${ERRORS}::int THEN 'error' ELSE 'pending' END, now() - id * interval '1 second', now(), author_key,
           CASE WHEN id <= ${ERRORS}::int THEN now() END, CASE WHEN id <= ${ERRORS}::int THEN 'reason ' || id % 10 END,
           CASE WHEN id <= ${ERRORS}::int THEN '{"error_type": "duplicate_attachment"}'::jsonb END FROM post`;
  await db.$queryRaw`SELECT compact_tally('UTC', 1000000)`;
  // Building an index takes a quarter of the time of filling it row by row.
  const [{ index }] = await db.$queryRaw<
    [{ index: string }]
  >`SELECT pg_get_indexdef('tally_range_idx'::regclass) AS index`;
  await db.$executeRaw`DROP INDEX tally_range_idx`;
  await db.$executeRaw`
    INSERT INTO tally (kind, key, metric, at, n)
    SELECT 'hour', '', event, date_trunc('hour', now() AT TIME ZONE 'UTC') - h * interval '1 hour', 100
      FROM generate_series(1, 365 * 24) h, unnest(${EVENTS}::text[]) event`;
  await addPast(
    Prisma.sql`SELECT 'day' AS kind, '' AS key, event AS metric, d, 2400 AS n
      FROM generate_series(1, 365) d, unnest(${EVENTS}::text[]) event`,
  );
  await addPast(
    Prisma.sql`SELECT 'day', s::text, event, d, 120
      FROM generate_series(1, 365) d, generate_series(1, ${STREAMS}::int) s, unnest(${EVENTS}::text[]) event`,
  );
  await addPast(
    Prisma.sql`SELECT 'host_day', 'host' || (n * 7 + d) % 3000 || '.example', event, d, n % 50
      FROM generate_series(1, 184) d, generate_series(1, 500) n, unnest('{fetched,approved}'::text[]) event`,
  );
  await addPast(
    Prisma.sql`SELECT 'reason_day', r::text, event, d, d
      FROM generate_series(1, 365) d, generate_series(0, 99) r, unnest('{rejected,auto_rejected}'::text[]) event`,
  );
  await db.$executeRawUnsafe(index);
  await db.$executeRaw`VACUUM ANALYZE`;
  await vacuum("queue_entry");
}, 240_000);

async function rowsRead(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await readSoFar();
  await work();
  const after = await readSoFar();
  return Object.fromEntries(
    Object.entries(after).flatMap(([table, n]) =>
      n > (before[table] ?? 0) ? [[table, n - (before[table] ?? 0)]] : [],
    ),
  );
}

async function readSoFar(): Promise<Record<string, number>> {
  await db.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
  const rows = await db.$queryRaw<{ relname: string; n: number }[]>`
    SELECT t.relname, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::float8 AS n
      FROM pg_stat_user_tables t LEFT JOIN pg_stat_user_indexes i USING (relid)
     GROUP BY t.relid, t.relname, t.seq_tup_read`;
  return Object.fromEntries(rows.map((row) => [row.relname, row.n]));
}

describe(`among a million posts a quarter, ${STREAMS} streams and a year of hours`, () => {
  test.each([
    // States and events of all streams, and the streams.
    ["/stats", getStats, 2 * STREAMS],
    ["/stats/streams", getStreamStats, 6 * STREAMS],
  ])("%s reads few figures and no posts", async (_path, work, most) => {
    const read = await rowsRead(work);
    expect(Object.keys(read).sort()).toEqual(expect.arrayContaining(["tally", "stream"]) as string[]);
    expect(read).not.toHaveProperty("post");
    expect(read).not.toHaveProperty("queue_entry");
    expect(Object.values(read).reduce((a, b) => a + b, 0)).toBeLessThan(most);
  });

  test("/curated/overview reads listed and held entries, not all pending ones", async () => {
    const read = await rowsRead(queueOverview);
    // The next twenty entries and their posts.
    expect(read["queue_entry"]).toBeLessThanOrEqual(200);
    expect(read["post"]).toBeLessThanOrEqual(100);
    // States and events twice, and two events of the hours of four weeks: the forecast.
    expect(read["tally"]).toBeLessThanOrEqual(40 + 2 * 28 * 24);
  });

  test("/stats/overview of 92 days reads days, streams and the largest hosts of each day", async () => {
    const read = await rowsRead(() => getOverview(92));
    // Authors are those of the decided posts that are stored.
    expect(read["post"] ?? 0).toBeLessThanOrEqual(POSTS);
    expect(read["queue_entry"] ?? 0).toBeLessThan(10);
    // Four weeks of hours for the forecast.
    const hours = 2 * 28 * 24;
    const flows = 93 * EVENTS.length * (1 + STREAMS);
    // 200 candidates a day, and each event of the 100 selected.
    const hosts = 92 * 201 + 4 * 100 * 93;
    const reasons = 93 * 101;
    expect(read["tally"]).toBeLessThanOrEqual(hours + flows + hosts + reasons + 400);
  });

  test("forgetting authors reads and writes nothing where nothing is stored under their names", async () => {
    await db.$executeRaw`INSERT INTO learnt (post_id, author, rejected, reviewed_at, features)
      SELECT n, -n, false, now(), '{}' FROM generate_series(1, 20000) n`;
    await vacuum("learnt");
    const refusals = Array.from({ length: 40 }, (_, n) => ({
      author_key: `refusing${n}@h.example`,
      uri_host: "h.example",
      rule: "refusal_tag" as const,
    }));
    const forget = () => db.$transaction((tx) => forgetAuthors(tx, refusals));
    await forget();
    expect(await rowsRead(forget)).toEqual({ installation: 40 });
  });
});
