import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { sleep } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { makeMember, makePost, makeStream } from "#tests/setup/factories.ts";
import { flows, HOUR, sorted, Walk, type Model } from "./counters-walk.ts";

/* After any changes the counters equal a count of the rows (levels) and of the events by hour (flows). */

const levels = [
  "posts",
  "approved",
  "rejected",
  "unreviewed",
  "with_media",
  "pending",
  "reserved",
  "delivered",
  "error",
];

async function countedLevels(): Promise<unknown> {
  return db.$queryRawUnsafe(
    `SELECT stream_id, ${levels.map((name) => `${name}::int`).join(", ")} FROM counter_now
      WHERE (${levels.join(", ")}) <> (${levels.map(() => "0").join(", ")}) ORDER BY stream_id`,
  );
}

async function trueLevels(): Promise<unknown> {
  return db.$queryRawUnsafe(`
    SELECT stream_id, ${levels.map((name) => `sum(${name})::int AS ${name}`).join(", ")} FROM (
      SELECT coalesce(stream_id, 0) AS stream_id, 1 AS posts, (approved IS TRUE)::int AS approved,
             (approved IS FALSE)::int AS rejected, (approved IS NULL)::int AS unreviewed,
             (media_count > 0)::int AS with_media, 0 AS pending, 0 AS reserved, 0 AS delivered, 0 AS error FROM post
      UNION ALL
      SELECT coalesce(stream_id, 0), 0, 0, 0, 0, 0, (state = 'pending')::int, (state = 'reserved')::int,
             (state = 'delivered')::int, (state = 'error')::int FROM queue_entry
    ) each GROUP BY 1 ORDER BY 1`);
}

async function countedFlows(): Promise<Record<string, number>> {
  const rows = await db.$queryRawUnsafe<Record<string, unknown>[]>(
    `SELECT hour, stream_id, ${flows.map((name) => `sum(${name})::int AS ${name}`).join(", ")}
       FROM counter_hourly GROUP BY hour, stream_id`,
  );
  const entries = rows.flatMap((row) =>
    flows.map((flow): [string, number] => [
      `${(row["hour"] as Date).getTime()}/${String(row["stream_id"])}/${flow}`,
      row[flow] as number,
    ]),
  );
  return sorted(entries.filter(([, n]) => n !== 0));
}

async function totalFlows(): Promise<Record<string, number>> {
  const rows = await db.$queryRawUnsafe<Record<string, number>[]>(
    `SELECT ${flows.map((name) => `coalesce(sum(${name}), 0)::int AS ${name}`).join(", ")} FROM counter_now`,
  );
  return rows[0] ?? {};
}

async function daysThatDiffer(): Promise<unknown> {
  const sums = flows.map((name) => `sum(${name}) AS ${name}`).join(", ");
  const some = `HAVING (${flows.map((name) => `sum(${name})`).join(", ")}) <> (${flows.map(() => "0").join(", ")})`;
  const hours = `SELECT (hour AT TIME ZONE 'UTC')::date AS day, stream_id, ${sums} FROM counter_hourly GROUP BY 1, 2 ${some}`;
  const days = `SELECT day, stream_id, ${sums} FROM counter_daily GROUP BY 1, 2 ${some}`;
  return db.$queryRawUnsafe(`((${hours}) EXCEPT (${days})) UNION ALL ((${days}) EXCEPT (${hours}))`);
}

async function hoursThatDiffer(): Promise<unknown> {
  const summed = ["fetched", "reviews", "approvals", "rejections", "auto_rejected", "deliveries"];
  const sums = summed.map((name) => `sum(${name}) AS ${name}`).join(", ");
  const some = `HAVING (${summed.map((name) => `sum(${name})`).join(", ")}) <> (0, 0, 0, 0, 0, 0)`;
  const hours = `SELECT hour, ${sums} FROM counter_hourly GROUP BY 1 ${some}`;
  const totals = `SELECT hour, ${sums} FROM counter_hourly_total GROUP BY 1 ${some}`;
  return db.$queryRawUnsafe(`((${hours}) EXCEPT (${totals})) UNION ALL ((${totals}) EXCEPT (${hours}))`);
}

async function statisticsThatDiffer(): Promise<unknown> {
  return db.$queryRaw`
    SELECT day, name, sum(counted)::int AS counted, sum(kept)::int AS kept FROM (
      SELECT day, name, n AS counted, 0 AS kept FROM counter_daily, LATERAL (VALUES
        ('fetched', fetched), ('reviews', reviews - auto_rejected), ('waits', reviews - auto_rejected),
        ('approvals', approvals), ('authors', approvals), ('reviewers', reviews - auto_rejected),
        ('auto_rejected', auto_rejected), ('deliveries', deliveries), ('delivery waits', deliveries),
        ('stream waits', deliveries), ('errors', errors)) v (name, n)
      UNION ALL SELECT date_trunc('week', day)::date, 'weekly waits', reviews - auto_rejected, 0 FROM counter_daily
      UNION ALL
      SELECT day, name, 0, n FROM stat_instance, LATERAL (VALUES ('fetched', fetched), ('reviews', reviews),
        ('approvals', approvals), ('deliveries', deliveries)) v (name, n)
      UNION ALL SELECT day, 'authors', 0, approvals FROM stat_author
      UNION ALL SELECT day, 'reviewers', 0, reviews FROM stat_reviewer
      UNION ALL SELECT day, CASE kind WHEN 'error' THEN 'errors' ELSE kind END, 0, n FROM stat_reason
      UNION ALL SELECT day, CASE WHEN kind = 'review' THEN 'waits' ELSE 'delivery waits' END, 0, n
                  FROM stat_wait WHERE dimension = 'all' AND days = 1
      UNION ALL SELECT day, 'weekly waits', 0, n FROM stat_wait WHERE dimension = 'reviewer' AND days = 7
      UNION ALL SELECT day, 'stream waits', 0, n FROM stat_wait WHERE dimension = 'stream' AND kind = 'delivery' AND days = 1
    ) each GROUP BY day, name HAVING sum(counted) <> sum(kept)`;
}

async function hostCounts(): Promise<unknown> {
  return db.$queryRaw`
    SELECT instance, sum(posts)::int AS posts FROM (
      SELECT instance, posts FROM counter_instance
      UNION ALL SELECT instance, posts FROM counter_delta WHERE instance IS NOT NULL
    ) part GROUP BY instance HAVING sum(posts) <> 0 ORDER BY instance`;
}

async function trueHostCounts(): Promise<unknown> {
  return db.$queryRaw`SELECT instance, count(*)::int AS posts FROM post GROUP BY instance ORDER BY instance`;
}

async function expectEqual(model: Model, where: string): Promise<void> {
  expect(await countedLevels(), `levels ${where}`).toEqual(await trueLevels());
  expect(await hostCounts(), `hosts ${where}`).toEqual(await trueHostCounts());
  expect(await daysThatDiffer(), `days ${where}`).toEqual([]);
  expect(await hoursThatDiffer(), `hours of all streams ${where}`).toEqual([]);
  const expected = model.expected();
  expect(await countedFlows(), `flows ${where}`).toEqual(expected);
  const sums: Record<string, number> = Object.fromEntries(flows.map((flow) => [flow, 0]));
  for (const [key, n] of Object.entries(expected)) {
    const flow = key.slice(key.lastIndexOf("/") + 1);
    sums[flow] = (sums[flow] ?? 0) + n;
  }
  expect(await totalFlows(), `all-time ${where}`).toEqual(sums);
}

describe("counters equal a count of the rows", () => {
  let memberId: number;
  const produced = new Set<string>();
  beforeAll(async () => {
    memberId = (await makeMember()).id;
  });

  test.each(process.env.TEST_SLOW ? [1, 20_261_121, Math.floor(Math.random() * 1e9)] : [1])(
    "after each step of the random walk with seed %i",
    { timeout: 120_000 },
    async (seed) => {
      // Model and database use different clocks, so a full hour must not pass.
      const left = HOUR - (Date.now() % HOUR);
      if (left < 40_000) await sleep(left);
      await db.$executeRaw`TRUNCATE post, queue_entry, queue_topic, counter_delta, counter_total, counter_hour, counter_hour_total,
        counter_day, counter_instance, stat_delta, stat_reviewer, stat_instance, stat_author, stat_wait, stat_reason, stat_outcome, stat_language, stream CASCADE`;
      const walk = new Walk(seed, memberId, [
        (await makeStream()).id,
        (await makeStream()).id,
        (await makeStream()).id,
      ]);
      const done: string[] = [];
      for (let step = 0; step < 250; step++) {
        done.push(await walk.step());
        await expectEqual(walk.model, `after step ${step} of seed ${seed}: ${done.slice(-3).join(", ")}`);
      }
      await db.$queryRaw`SELECT compact_counters()`;
      await db.$queryRaw`SELECT compact_statistics(7)`;
      await db.$queryRaw`SELECT compact_statistics()`;
      expect(await db.counter_delta.count()).toBe(0);
      expect(await db.stat_delta.count()).toBe(0);
      expect(await statisticsThatDiffer()).toEqual([]);
      for (const [flow, n] of Object.entries(await totalFlows())) if (n > 0) produced.add(flow);
      await expectEqual(walk.model, "after compaction");
    },
  );

  test("the walks produce every flow", () => {
    expect([...produced].sort()).toEqual([...flows].sort());
  });
});

test("a change during compaction is counted once", async () => {
  const before = await totalFlows();
  const stream = (await makeStream()).id;
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await makePost({
        stream_id: stream,
        author_username: `busy${n}`,
        uri: `https://h.example/${randomUUID()}`,
      });
      await db.$queryRaw`SELECT compact_counters(5)`;
    }),
  );
  expect((await totalFlows())["fetched"]).toBe((before["fetched"] ?? 0) + 20);
  const rows =
    await db.$queryRaw`SELECT posts::int, unreviewed::int FROM counter_now WHERE stream_id = ${stream}`;
  expect(rows).toEqual([{ posts: 20, unreviewed: 20 }]);
});
