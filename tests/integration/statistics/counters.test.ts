import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { sleep } from "#lib/base/clock.ts";
import { db, Prisma } from "#lib/base/db.ts";
import { makeMember, makePost, makeStream } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { events, HOUR, sorted, Walk, type Model } from "./counters-walk.ts";

/* After any changes the figures equal a count of the rows (levels) and of the events (everything else). */

const figures = Prisma.sql`tally_now('{level,host,total,hour,day,host_day,reviewer_day,reason_day,bot,bot_day}')`;

async function countedLevels(): Promise<unknown> {
  return db.$queryRaw`
    SELECT kind, key, metric, sum(n)::int AS n FROM ${figures}
     WHERE kind IN ('level', 'host') GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3`;
}

async function trueLevels(): Promise<unknown> {
  return db.$queryRaw`
    WITH level AS (
      SELECT coalesce(stream_id, 0)::text AS key,
             CASE WHEN approved IS NULL THEN 'unreviewed' WHEN approved THEN 'approved'
                  WHEN auto_reject_reason IS NULL THEN 'rejected' ELSE 'auto_rejected' END AS metric FROM post
      UNION ALL SELECT coalesce(stream_id, 0)::text, 'with_media' FROM post WHERE media_count > 0
      UNION ALL SELECT coalesce(stream_id, 0)::text, state FROM queue_entry
    )
    SELECT kind, key, metric, count(*)::int AS n FROM (
      SELECT 'level' AS kind, key, metric FROM level
      UNION ALL SELECT 'level', '', metric FROM level
      UNION ALL SELECT 'host', instance, 'posts' FROM post
    ) each GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
}

/** By hour of all streams, and by day and stream. */
async function countedEvents(): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ at: Date; kind: string; key: string; metric: string; n: number }[]>`
    SELECT at, kind, key, metric, sum(n)::int AS n FROM ${figures}
     WHERE kind = 'hour' OR kind = 'day' AND key <> '' GROUP BY 1, 2, 3, 4 HAVING sum(n) <> 0`;
  return sorted(rows.map(({ at, kind, key, metric, n }) => [`${kind} ${at.getTime()}/${key}/${metric}`, n]));
}

function expectedEvents(model: Model): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [key, n] of Object.entries(model.expected())) {
    const [hour = "", stream = "", event = ""] = key.split("/");
    const day = Math.floor(Number(hour) / (24 * HOUR)) * 24 * HOUR;
    for (const sum of [`hour ${hour}//${event}`, `day ${day}/${stream}/${event}`])
      sums.set(sum, (sums.get(sum) ?? 0) + n);
  }
  return sorted([...sums].filter(([, n]) => n !== 0));
}

/** Figures of all time that are not the sum of their days. */
async function grainsThatDiffer(): Promise<unknown> {
  return db.$queryRaw`
    SELECT kind = ANY ('{bot,bot_day}') AS of_bot, key, metric, sum(n * (kind IN ('day', 'bot_day'))::int)::int AS days,
           sum(n * (kind IN ('total', 'bot'))::int)::int AS n
      FROM ${figures} WHERE kind IN ('total', 'day', 'bot', 'bot_day')
     GROUP BY 1, 2, 3 HAVING sum(CASE WHEN kind IN ('day', 'bot_day') THEN n ELSE -n END) <> 0`;
}

/** Days on which the sum of a kind is not the figure of all streams. */
async function kindsThatDiffer(): Promise<unknown> {
  return db.$queryRaw`
    SELECT at, name, sum(counted)::int AS counted, sum(kept)::int AS kept FROM (
      SELECT at, name, n AS counted, 0 AS kept FROM ${figures}, LATERAL (VALUES
        ('host_day', metric IN ('fetched', 'approved', 'rejected', 'delivered')),
        ('reviewer_day', metric IN ('approved', 'rejected')), ('reason_day', metric = 'rejected')) v (name, counts)
       WHERE kind = 'day' AND key = '' AND counts
      UNION ALL
      SELECT at, kind, 0, n FROM ${figures} WHERE kind IN ('host_day', 'reviewer_day', 'reason_day')
    ) each GROUP BY 1, 2 HAVING sum(counted) <> sum(kept)`;
}

async function expectEqual(model: Model, where: string): Promise<void> {
  expect(await countedLevels(), `levels ${where}`).toEqual(await trueLevels());
  expect(await countedEvents(), `events ${where}`).toEqual(expectedEvents(model));
  expect(await grainsThatDiffer(), `all time ${where}`).toEqual([]);
  expect(await kindsThatDiffer(), `kinds ${where}`).toEqual([]);
}

describe("figures equal a count of the rows and of the events", () => {
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
      await db.$executeRaw`TRUNCATE post, queue_entry, tally, tally_delta, stream CASCADE`;
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
      await db.$queryRaw`SELECT compact_tally('UTC', 7)`;
      await db.$queryRaw`SELECT compact_tally()`;
      expect(await db.tally_delta.count()).toBe(0);
      for (const event of Object.keys(await sumsOf("total"))) produced.add(event);
      await expectEqual(walk.model, "after compaction");
    },
  );

  test("the walks produce every event", () => {
    expect([...produced].sort()).toEqual([...events].sort());
  });
});

test("a change during compaction is counted once", async () => {
  const before = (await sumsOf("total"))["fetched"] ?? 0;
  const stream = (await makeStream()).id;
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await makePost({
        stream_id: stream,
        author_username: `busy${n}`,
        uri: `https://h.example/${randomUUID()}`,
      });
      await db.$queryRaw`SELECT compact_tally('UTC', 5)`;
    }),
  );
  expect((await sumsOf("total"))["fetched"]).toBe(before + 20);
  expect(await sumsOf("level", stream)).toEqual({ unreviewed: 20 });
});
