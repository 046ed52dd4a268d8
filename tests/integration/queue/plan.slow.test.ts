import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db, Prisma } from "#lib/base/db.ts";
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

async function blocksOfReserve(options: {
  key?: string;
  random?: boolean;
  topical?: boolean;
  stream?: number;
}): Promise<{ blocks: number; post: number | null }> {
  let blocks = 0;
  let post: number | null = null;
  const hash = hashKey(options.key ?? key);
  await db
    .$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL jit = off`;
      blocks = await warmBlocks(
        tx,
        Prisma.sql`SELECT * FROM queue_reserve(
          queue_identify(${hash}::bytea, NULL, NULL, ${options.stream ?? null}::int), ${options.random ?? false}::boolean,
          ${options.topical ? [true, false] : [false]}::boolean[], 'UTC', 300, 24)`,
      );
      const taken = await tx.$queryRaw<
        { post_id: number }[]
      >`SELECT post_id FROM queue_entry WHERE state = 'reserved'`;
      post = taken[0]?.post_id ?? null;
      throw new Error("undo");
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== "undo") throw error;
    });
  return { blocks, post };
}

async function blocksOfSettle(move: "ack" | "nack"): Promise<number> {
  let blocks = 0;
  await db
    .$transaction(async (tx) => {
      blocks = await warmBlocks(
        tx,
        Prisma.sql`SELECT * FROM queue_settle(
          queue_identify(${hashKey(key)}::bytea, NULL, NULL), 850000, ${move}::text, NULL, NULL, NULL, 0)`,
      );
      expect(await tx.queue_entry.count({ where: { post_id: 850_000, state: "reserved" } })).toBe(0);
      throw new Error("undo");
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== "undo") throw error;
    });
  return blocks;
}

describe(`reserve among ${ROWS} pending posts`, () => {
  it.each([
    ["oldest", {}],
    ["random", { random: true }],
    ["topical", { topical: true }],
    ["topical and random", { topical: true, random: true }],
  ])("%s touches few blocks", async (_name, options) => {
    const { blocks, post } = await blocksOfReserve(options);
    expect(post).not.toBeNull();
    expect(blocks).toBeLessThan(FEW_BLOCKS);
  });

  it.each([
    ["oldest", {}],
    ["random", { random: true }],
    ["topical", { topical: true }],
    ["topical and random", { topical: true, random: true }],
  ])("%s from a stream with ten posts touches few blocks: bound key, stream_id", async (_name, options) => {
    const stream = streamIds[1] as number;
    for (const from of [{ key: boundKey }, { stream }]) {
      const { blocks, post } = await blocksOfReserve({ ...options, ...from });
      expect((post as number) % 100_000).toBe(99_999);
      expect(blocks).toBeLessThan(FEW_BLOCKS);
    }
  });

  it("touches few blocks for a topical tag that one post in ten has", async () => {
    await db.topical_tag.updateMany({ data: { hashtag_folded: "tenth" } });
    expect(await blocksOfReserve({ topical: true })).toMatchObject({ post: 3 });
    expect((await blocksOfReserve({ topical: true })).blocks).toBeLessThan(FEW_BLOCKS);
    await db.topical_tag.updateMany({ data: { hashtag_folded: "rare" } });
  });

  it("touches few blocks beside a hundred thousand current reservations, even with old statistics", async () => {
    await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT min(id) FROM api_key), reserved_at = now(),
      lease_expires_at = now() + interval '1 hour' WHERE post_id > 800000 AND post_id <= 900000`;
    expect((await blocksOfReserve({})).blocks).toBeLessThan(FEW_BLOCKS);
    for (const move of ["ack", "nack"] as const) expect(await blocksOfSettle(move)).toBeLessThan(150);
  });

  it("still touches few blocks when the first thousand posts are locked", async () => {
    await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT min(id) FROM api_key), reserved_at = now(),
      lease_expires_at = now() + interval '1 hour' WHERE post_id <= 1000`;
    await vacuum("queue_entry", false);
    const { blocks } = await blocksOfReserve({});
    expect(blocks).toBeLessThan(FEW_BLOCKS);
  });

  it("sweeps a bounded batch when a hundred thousand reservations have expired", async () => {
    await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT min(id) FROM api_key), reserved_at = now(),
      lease_expires_at = now() - interval '1 second' WHERE post_id BETWEEN 100000 AND 200000`;
    const [before] = await db.$queryRaw<
      { n: bigint }[]
    >`SELECT count(*) AS n FROM queue_entry WHERE state = 'reserved'`;
    await db.$executeRaw`SELECT queue_sweep()`;
    const [after] = await db.$queryRaw<
      { n: bigint }[]
    >`SELECT count(*) AS n FROM queue_entry WHERE state = 'reserved'`;
    expect(Number((before as { n: bigint }).n - (after as { n: bigint }).n)).toBe(500);
  });
});
