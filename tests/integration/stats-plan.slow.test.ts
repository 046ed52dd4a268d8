import { beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "#lib/db.ts";
import { forgetAuthors } from "#lib/posts/forget-authors.ts";
import { listUpcomingPosts } from "#lib/posts/upcoming-posts.ts";
import { queueOverview, queueSupply } from "#lib/queue/queue-overview.ts";
import {
  getDailyStats,
  getErrorStats,
  getPostStats,
  getStats,
  getStreamStats,
  listErrorReasons,
} from "#lib/stats/get-stats.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { addDays } from "#lib/stats/overview-schema.ts";
import { getTeamPace } from "#lib/stats/team-pace.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { vacuum } from "./large-table.ts";

// PostgreSQL counts rows read by connection, so there is one.
vi.hoisted(() => {
  process.env.DATABASE_POOL_SIZE = "1";
});

const STREAMS = 20;
const POSTS = 20_000;
const ERRORS = 2_000;
const today = new Date().toISOString().slice(0, 10);

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
  await db.$queryRaw`SELECT compact_counters(1000000), compact_statistics(1000000)`;
  await db.$executeRaw`
    INSERT INTO counter_hour (hour, stream_id, fetched)
    SELECT date_trunc('hour', now(), 'UTC') - h * interval '1 hour', s, 5
      FROM generate_series(1, 365 * 24) h, generate_series(1, ${STREAMS}::int) s ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO counter_hour_total (hour, fetched) SELECT hour, sum(fetched) FROM counter_hour GROUP BY hour
    ON CONFLICT (hour) DO UPDATE SET fetched = excluded.fetched`;
  await db.$executeRaw`
    INSERT INTO counter_day (day, stream_id, fetched) SELECT ${today}::date - d, s, 120
      FROM generate_series(1, 365) d, generate_series(1, ${STREAMS}::int) s ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO stat_wait (kind, dimension, days, key, day, bucket, n)
    SELECT kind, 'stream', days, s::text, CASE days WHEN 1 THEN day ELSE date_trunc('week', day)::date END, bucket, count(*)
      FROM unnest('{review,delivery}'::text[]) kind, unnest('{1,7}'::smallint[]) days, generate_series(1, ${STREAMS}::int) s,
           generate_series(1, 184) d, LATERAL (SELECT ${today}::date - d AS day) at, generate_series(1, 60) bucket
     GROUP BY 1, 2, 3, 4, 5, 6 ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO stat_author (day, author_key, approvals) SELECT ${today}::date - d, 'a' || (n * 7 + d) % 9000, n % 5
      FROM generate_series(1, 184) d, generate_series(1, 2000) n ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO stat_instance (day, instance, fetched) SELECT ${today}::date - d, 'host' || (n * 7 + d) % 3000, n % 50
      FROM generate_series(1, 184) d, generate_series(1, 1000) n ON CONFLICT DO NOTHING`;
  await db.$executeRaw`
    INSERT INTO stat_reason (day, kind, reason, n) SELECT ${today}::date - d, kind, 'reason ' || r, d
      FROM generate_series(1, 365) d, generate_series(0, 99) r, unnest('{dropped,error}'::text[]) kind`;
  await db.$executeRaw`VACUUM ANALYZE`;
  await vacuum("queue_entry");
}, 120_000);

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
  test("the measurement itself counts rows", async () => {
    const read = await rowsRead(() => db.$queryRaw`SELECT count(*) FROM post WHERE content = 'x'`);
    expect(read["post"]).toBe(POSTS);
  });

  test.each([
    ["/stats", getStats],
    ["/stats/streams", getStreamStats],
  ])("%s reads a row or two a stream", async (_path, work) => {
    const read = await rowsRead(work);
    expect(Object.keys(read).sort()).toEqual(expect.arrayContaining(["counter_total", "stream"]) as string[]);
    expect(read).not.toHaveProperty("post");
    expect(read).not.toHaveProperty("queue_entry");
    expect(read).not.toHaveProperty("counter_hour");
    expect(Object.values(read).reduce((a, b) => a + b, 0)).toBeLessThan(6 * STREAMS);
  });

  test("/stats/posts reads 24 hours and the listed hosts", async () => {
    const read = await rowsRead(getPostStats);
    expect(read).not.toHaveProperty("post");
    expect(read["counter_hour"]).toBeLessThanOrEqual(24 * (STREAMS + 1));
    expect(read["counter_instance"]).toBeLessThan(50);
  });

  test("/stats/daily reads days and no hours", async () => {
    const read = await rowsRead(() => getDailyStats(365));
    expect(read).not.toHaveProperty("counter_hour");
    expect(read["counter_day"]).toBeLessThanOrEqual(366 * (STREAMS + 1));
  });

  test("/stats/errors reads failed posts and no others", async () => {
    const read = await rowsRead(getErrorStats);
    expect(read).not.toHaveProperty("post");
    // One pass to count, 50 posts of each of ten reasons, 100 duplicates.
    expect(read["queue_entry"]).toBeLessThanOrEqual(ERRORS + 10 * 51 + 101);
    expect(read["stat_reason"]).toBeLessThanOrEqual(10 * 14);
  });

  test("/curated/overview reads listed and held entries, not all pending ones", async () => {
    const read = await rowsRead(queueOverview);
    // The next twenty entries and their posts.
    expect(read["queue_entry"]).toBeLessThanOrEqual(200);
    expect(read["post"]).toBeLessThanOrEqual(100);
    expect(read["counter_hour"] ?? 0).toBeLessThanOrEqual(72 * (STREAMS + 1));
    // Four weeks: the forecast.
    expect(read["counter_hour_total"]).toBeLessThanOrEqual(28 * 24);
  });

  test("/stats/overview of 92 days reads weeks, streams and the largest hosts and authors of each day", async () => {
    const read = await rowsRead(() => getOverview({ from: addDays(today, -91), to: today }));
    expect(read).not.toHaveProperty("post");
    expect(read["queue_entry"] ?? 0).toBeLessThan(10);
    expect(read["counter_day"]).toBeLessThanOrEqual(184 * (STREAMS + 1));
    expect(read["counter_hour"] ?? 0).toBeLessThanOrEqual(72 * (STREAMS + 1));
    // Four weeks for the forecast, the range for the heat map and the rejections of each day.
    expect(read["counter_hour_total"]).toBeLessThanOrEqual((28 + 92) * 24);
    // 13 weeks, at most 12 days, 60 buckets, two kinds.
    expect(read["stat_wait"]).toBeLessThanOrEqual(25 * 60 * STREAMS * 2 + 2_000);
    // 200 candidates a day, 92 days of the 100 selected.
    expect(read["stat_author"]).toBeLessThanOrEqual(92 * 201 + 100 * 93);
    expect(read["stat_instance"]).toBeLessThanOrEqual(92 * 201 + 100 * 93);
  });

  test("forgetting authors reads and writes nothing where nothing is stored under their names", async () => {
    await db.$executeRaw`INSERT INTO stat_delta (kind, author_key, reviewer, approved, n)
      SELECT 'review', 'a' || n || '@h.example', '', true, 1 FROM generate_series(1, 20000) n`;
    await db.$executeRaw`INSERT INTO check_example (post_id, author_hmac, rejected, reviewed_at)
      SELECT n, sha256(n::text::bytea), false, now() FROM generate_series(1, 20000) n`;
    for (const table of ["stat_delta", "check_example"]) await vacuum(table);
    const refusals = Array.from({ length: 40 }, (_, n) => ({
      author_key: `refusing${n}@h.example`,
      uri_host: "h.example",
      rule: "refusal_tag" as const,
    }));
    const forget = () => db.$transaction((tx) => forgetAuthors(tx, refusals));
    await forget();
    expect(await rowsRead(forget)).toEqual({ installation: 40 });
  });

  test("Home reads a week of days, the last hour of each reviewer, the next posts and failed ones", async () => {
    const { id } = await makeMember("reviewer");
    await db.$executeRaw`
      UPDATE post SET reviewed_by_member = ${id}::int, reviewed_by = 'Ann',
             reviewed_at = now() - CASE WHEN id % 100 = 0 THEN interval '1 minute' ELSE interval '2 hours' END`;
    await db.$queryRaw`SELECT compact_counters(1000000), compact_statistics(1000000)`;
    await vacuum("post");
    // A scan counts the dead rows that the compaction of this update left.
    await vacuum("counter_day");
    await vacuum("counter_hour_total");
    const pace = await rowsRead(() => getTeamPace(today));
    expect(pace["post"]).toBeLessThanOrEqual(POSTS / 100);
    expect(pace["counter_day"]).toBeLessThanOrEqual(7 * (STREAMS + 2));
    expect(pace["stat_reviewer"]).toBeLessThan(10);
    const supply = await rowsRead(queueSupply);
    expect(supply).not.toHaveProperty("post");
    expect(supply["queue_entry"] ?? 0).toBeLessThan(10);
    expect(supply["counter_hour"] ?? 0).toBeLessThanOrEqual(72 * (STREAMS + 1));
    expect(supply["counter_hour_total"]).toBeLessThanOrEqual(28 * 24);
    const upcoming = await rowsRead(() => listUpcomingPosts(6));
    expect(upcoming["post"]).toBeLessThanOrEqual(30);
    expect(upcoming["queue_entry"]).toBeLessThanOrEqual(60);
    const errors = await rowsRead(() => listErrorReasons(200));
    expect(errors["queue_entry"]).toBeLessThanOrEqual(ERRORS + 10 * 2);
  });
});
