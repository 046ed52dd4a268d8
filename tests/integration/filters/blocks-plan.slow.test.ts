import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { listBlocks } from "#lib/blocking/block-lists.ts";
import { insertBlockChanges } from "#lib/queue/block-changes-sql.ts";
import { applyBlockChanges, type BlockChange } from "#lib/queue/block-changes.ts";
import { vacuum } from "#tests/integration/database/large-table.ts";

const ROWS = 210_000;
const ON_A_PAGE = 30;
/** Pages that one changed entry may touch: the row twice and a path in each index. */
const FOR_A_CHANGE = 35;

beforeAll(async () => {
  // One entry in 210 has a rare hashtag, each of 5000 authors has 42, each of 500 hosts 420.
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, approved_at, post_created_at, author_key, tags)
        SELECT n, now() - (${ROWS} - n) * interval '1 second', now(),
               'author' || n % 5000 || '@host' || n % 500 || '.example',
               CASE WHEN n % 210 = 0 THEN '{cats,rare}' ELSE '{cats}' END::text[]
          FROM generate_series(1, ${ROWS}) n`;
    },
    { timeout: 120_000 },
  );
  await vacuum("queue_entry");
}, 150_000);

async function batchesOf(change: BlockChange, read: number, write: number) {
  const [id = 0] = await db.$transaction((tx) => insertBlockChanges(tx, [change]));
  const batches: { blocks: number; changed: number }[] = [];
  for (let changed = 0, open = true; open;) {
    const rows = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
      EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
      SELECT * FROM apply_block_batch(${id}::int, ${read}::int, ${write}::int)`;
    const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
    const progress = await db.block_change.findUnique({ where: { id } });
    open = progress !== null;
    const now = progress?.changed ?? (await db.queue_entry.count({ where: { holds: { not: 0 } } }));
    batches.push({
      blocks: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
      changed: now - changed,
    });
    changed = now;
  }
  return batches;
}

describe(`among ${ROWS} waiting posts each batch touches a bounded number of pages`, () => {
  const read = 5_000;
  const write = 250;

  test("an account with 42 posts: reads only its own entries", async () => {
    const account_identifier = "author7@host7.example";
    await db.blocked_user.create({ data: { account_identifier, pattern_type: "exact" } });
    const batches = await batchesOf(
      { kind: "user", pattern_type: "exact", patterns: [account_identifier] },
      read,
      write,
    );
    expect(batches.map((batch) => batch.changed)).toEqual([42]);
    for (const batch of batches) expect(batch.blocks).toBeLessThan(500 + 4 * 42 + FOR_A_CHANGE * write);
  });

  test.each([
    // It also meets accounts that a post names, which the index of authors lacks.
    ["prefix", "author77", 462],
    ["suffix", "@host7.example", ROWS / 500],
    ["contains", "host77.", ROWS / 500],
  ] as const)("%s: a window at a time", async (pattern_type, account_identifier, held) => {
    await db.blocked_user.create({ data: { account_identifier, pattern_type } });
    const batches = await batchesOf(
      { kind: "user", pattern_type, patterns: [account_identifier] },
      read,
      write,
    );
    expect(batches.reduce((sum, batch) => sum + batch.changed, 0)).toBe(held);
    for (const batch of batches) {
      expect(batch.blocks).toBeLessThan(500 + (2 * read) / ON_A_PAGE + FOR_A_CHANGE * batch.changed + read);
      expect(batch.changed).toBeLessThanOrEqual(write);
    }
    expect(batches.length).toBeLessThanOrEqual(ROWS / read + 5);
  });

  test("a hashtag of all posts: reads the head of the queue first, then windows", async () => {
    await db.blocked_hashtag.create({ data: { hashtag: "cats", hashtag_folded: "cats" } });
    const [id = 0] = await db.$transaction((tx) =>
      insertBlockChanges(tx, [{ kind: "hashtag", pattern_type: "exact", patterns: ["cats"] }]),
    );
    await db.$executeRaw`UPDATE queue_entry SET approved_at = '2000-01-01' WHERE post_id > ${ROWS - 100}`;
    for (let i = 0; i < 4; i++) {
      const rows = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
        EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM apply_block_batch(${id}::int, 1000, 250)`;
      const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
      const blocks = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
      expect(blocks).toBeLessThan(10_000 + FOR_A_CHANGE * 250);
      const held = await db.queue_entry.findMany({ where: { holds: 2 }, select: { post_id: true } });
      expect(held).toHaveLength(250 * (i + 1));
      if (i === 0) expect(held.filter((entry) => entry.post_id > ROWS - 100)).toHaveLength(100);
    }
  });
});

test("matches of ten thousand patterns take one bounded query", { timeout: 60_000 }, async () => {
  await db.$executeRaw`
    INSERT INTO blocked_user (account_identifier, pattern_type)
    SELECT 'author' || n || '@host' || n % 500 || '.example', 'exact' FROM generate_series(0, 6999) n
    UNION ALL SELECT '@host' || n || '.example', 'suffix' FROM generate_series(0, 999) n
    UNION ALL SELECT 'author' || n || '@', 'prefix' FROM generate_series(0, 999) n
    UNION ALL SELECT 'r' || n || '@h', 'contains' FROM generate_series(0, 999) n`;
  await db.$executeRaw`UPDATE queue_entry SET holds = 1 WHERE post_id <= 20000`;
  await db.$executeRaw`ANALYZE blocked_user`;
  const began = performance.now();
  const { items, total } = await listBlocks("user", {});
  const took = performance.now() - began;
  expect(total).toBe(10_000);
  expect(items).toHaveLength(10_000);
  // 20 000 held entries: 4 of each author, 40 of each host.
  expect(items[0]).toMatchObject({ account_identifier: "author0@host0.example", matches: 4 });
  expect(items[6000]).toMatchObject({ account_identifier: "author6000@host0.example", matches: 0 });
  expect(items[7000]).toMatchObject({ account_identifier: "@host0.example", matches: 40 });
  expect(items[8000]).toMatchObject({ account_identifier: "author0@", matches: 4 });
  expect(items[9012]).toMatchObject({ account_identifier: "r12@h", matches: 4 });
  expect(took).toBeLessThan(10_000);
});

afterEach(async () => {
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, block_change`;
  await db.$executeRaw`UPDATE queue_entry SET holds = 0 WHERE holds <> 0`;
  await vacuum("queue_entry", false);
  expect(await applyBlockChanges({ deadline: new Date(Date.now() + 1000) })).toEqual({ worked: false });
});
