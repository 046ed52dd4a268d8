import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { vacuum, warmBlocks } from "#tests/integration/database/large-table.ts";
import { makeKey, makeStream } from "#tests/setup/factories.ts";

const ROWS = 1_000_000;
/** Blocks of 8 kB that one call may touch; a scan touches far more. */
const FEW_BLOCKS = 1_500;

let key = "";
let boundKey = "";
let streamIds: number[] = [];

beforeAll(async () => {
  streamIds = [(await makeStream()).id, (await makeStream()).id];
  // Without posts.
  await db.$executeRaw`INSERT INTO stream (hashtag, hashtag_folded, instance)
    SELECT n, n, 'x.example' FROM generate_series(1, 1000) n`;
  key = await makeKey();
  boundKey = await makeKey({ stream_ids: [streamIds[1] as number] });
  // Entries only, with triggers disabled. One in a hundred thousand is topical or in the bound stream.
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, confirmed_at, approved_at, post_created_at, stream_id, author_key, tags, topics)
        SELECT n, now(), now() - (${ROWS} - n) * interval '1 second', now(),
               CASE WHEN n % 100000 = 99999 THEN ${streamIds[1]}::int ELSE ${streamIds[0]}::int END,
               'author' || n % 50000 || '@x.example',
               CASE WHEN n % 100000 = 50000 THEN '{rare}' WHEN n % 10 = 3 THEN '{tenth}' ELSE '{common}' END::text[],
               CASE WHEN n % 100000 = 50000 THEN 'rare' WHEN n % 10 = 3 THEN 'tenth' ELSE '' END
          FROM generate_series(1, ${ROWS}) n`;
      await tx.$executeRaw`
        INSERT INTO post (id, uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
        SELECT n, 'https://x.example/' || n, 'a', '@a@x.example', 'a@x.example', 'x.example', now(), true, now()
          FROM generate_series(1, ${ROWS}) n
         WHERE n <= 50000 OR n % 7 = 1 OR n % 100000 IN (50000, 99999)`;
    },
    { timeout: 240_000 },
  );
  await db.$executeRaw`ANALYZE queue_entry`;
  const day = `(SELECT extract(dow FROM now() AT TIME ZONE 'UTC')::int)`;
  await db.$executeRawUnsafe(
    `INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week) VALUES ('rare', 'rare', ${day})`,
  );
}, 300_000);

/** The result of work that is taken back. */
async function undone<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  const undo = new Error("undo");
  const running = db.$transaction(async (tx) => {
    results.push(await work(tx));
    throw undo;
  });
  await expect(running).rejects.toBe(undo);
  return results[0] as Result;
}

type Choice = { key?: string; random?: boolean; topical?: boolean; stream?: number };
const blocksOfReserve = (options: Choice) =>
  undone(async (tx) => {
    await tx.$executeRaw`SET LOCAL jit = off`;
    const hash = hashKey(options.key ?? key);
    const blocks = await warmBlocks(
      tx,
      Prisma.sql`SELECT * FROM queue_reserve(
        queue_identify(${hash}::bytea, NULL, NULL, ${options.stream ?? null}::int), ${options.random ?? false}::boolean,
        ${options.topical ? [true, false] : [false]}::boolean[], 'UTC', 300, 24)`,
    );
    const taken = await tx.queue_entry.findFirst({ where: { state: "reserved" } });
    return { blocks, post: taken?.post_id ?? null };
  });

const blocksOfSettle = (move: "ack" | "nack") =>
  undone(async (tx) => {
    const blocks = await warmBlocks(
      tx,
      Prisma.sql`SELECT * FROM queue_settle(
        queue_identify(${hashKey(key)}::bytea, NULL, NULL), 850000, ${move}::text, NULL, NULL, NULL, 0)`,
    );
    expect(await tx.queue_entry.count({ where: { post_id: 850_000, state: "reserved" } })).toBe(0);
    return blocks;
  });

const reserveAll = (from: number, to: number, seconds: number) =>
  db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT min(id) FROM api_key),
    reserved_at = now(), lease_expires_at = now() + ${seconds}::int * interval '1 second' WHERE post_id BETWEEN ${from} AND ${to}`;

const choices: [string, Choice][] = [
  ["oldest", {}],
  ["random", { random: true }],
  ["topical", { topical: true }],
  ["topical and random", { topical: true, random: true }],
];

describe(`reserve among ${ROWS} pending posts`, () => {
  it.each(choices)("%s touches few blocks", async (_name, options) => {
    const { blocks, post } = await blocksOfReserve(options);
    expect(post).not.toBeNull();
    expect(blocks).toBeLessThan(FEW_BLOCKS);
  });

  it.each(choices)(
    "%s from a stream with ten posts touches few blocks: bound key, stream_id",
    async (_name, options) => {
      const stream = streamIds[1] as number;
      for (const from of [{ key: boundKey }, { stream }]) {
        const { blocks, post } = await blocksOfReserve({ ...options, ...from });
        expect((post as number) % 100_000).toBe(99_999);
        expect(blocks).toBeLessThan(FEW_BLOCKS);
      }
    },
  );

  it("touches few blocks for a topical tag that one post in ten has", async () => {
    await db.topical_tag.updateMany({ data: { hashtag_folded: "tenth" } });
    expect(await blocksOfReserve({ topical: true })).toMatchObject({ post: 3 });
    expect((await blocksOfReserve({ topical: true })).blocks).toBeLessThan(FEW_BLOCKS);
    await db.topical_tag.updateMany({ data: { hashtag_folded: "rare" } });
  });

  it("touches few blocks beside a hundred thousand current reservations, even with old statistics", async () => {
    await reserveAll(800_001, 900_000, 3600);
    expect((await blocksOfReserve({})).blocks).toBeLessThan(FEW_BLOCKS);
    for (const move of ["ack", "nack"] as const) expect(await blocksOfSettle(move)).toBeLessThan(150);
  });

  it("still touches few blocks when the first thousand posts are locked", async () => {
    await reserveAll(1, 1000, 3600);
    await vacuum("queue_entry", false);
    const { blocks } = await blocksOfReserve({});
    expect(blocks).toBeLessThan(FEW_BLOCKS);
  });

  it("sweeps a bounded batch when a hundred thousand reservations have expired", async () => {
    await reserveAll(100_000, 200_000, -1);
    const reserved = () => db.queue_entry.count({ where: { state: "reserved" } });
    const before = await reserved();
    await db.$executeRaw`SELECT queue_sweep()`;
    expect(before - (await reserved())).toBe(500);
  });
});
