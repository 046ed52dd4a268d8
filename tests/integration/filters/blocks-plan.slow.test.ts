import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { listBlocks } from "#lib/blocking/block-lists.ts";
import { noteHoldChanges, recomputeSlice, sliceStatement, type HoldChange } from "#lib/queue/hold-changes.ts";
import { vacuum, warmBlocks } from "#tests/integration/database/large-table.ts";

const ROWS = 210_000;
const SLICE = 2_000;
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

async function slicesOf(change: HoldChange) {
  const [id = 0] = await db.$transaction((tx) => noteHoldChanges(tx, [change]));
  const slices: { blocks: number; changed: number }[] = [];
  for (let changed = 0; ;) {
    const { fence, after_id } = await db.hold_change.findUniqueOrThrow({ where: { id } });
    if (fence !== null) return slices;
    const blocks = await db.$transaction(async (tx) => {
      const blocks = await warmBlocks(tx, sliceStatement({ ...change, after_id }));
      await recomputeSlice(tx, id);
      return blocks;
    });
    const now = await db.queue_entry.count({ where: { holds: { not: 0 } } });
    slices.push({ blocks, changed: now - changed });
    changed = now;
  }
}

describe(`among ${ROWS} waiting posts`, () => {
  test("an account with 42 posts: reads only its own entries", async () => {
    const account_identifier = "author7@host7.example";
    await db.blocked_user.create({ data: { account_identifier, pattern_type: "exact" } });
    const slices = await slicesOf({ pattern_type: "exact", patterns: [account_identifier] });
    expect(slices.map((slice) => slice.changed)).toEqual([42]);
    expect(slices[0]?.blocks).toBeLessThan(500 + (4 + FOR_A_CHANGE) * 42);
  });

  test.each([
    ["exact", "rare", ROWS / 210],
    ["prefix", "author77", 462],
    ["suffix", "@host7.example", ROWS / 500],
  ] as const)("%s %s: each slice touches a bounded number of pages", async (pattern_type, pattern, held) => {
    if (pattern_type === "exact")
      await db.blocked_hashtag.create({ data: { hashtag: pattern, hashtag_folded: pattern } });
    else
      await db.blocked_user.create({
        data: { account_identifier: pattern, pattern_type },
      });
    const slices = await slicesOf({ pattern_type, patterns: [pattern] });
    expect(slices.reduce((sum, slice) => sum + slice.changed, 0)).toBe(held);
    const whole = ROWS / ON_A_PAGE;
    for (const { blocks, changed } of slices)
      expect(blocks).toBeLessThan(2 * whole + FOR_A_CHANGE * changed + 10 * SLICE);
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
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, hold_change`;
  await db.$executeRaw`UPDATE queue_entry SET holds = 0 WHERE holds <> 0`;
  await vacuum("queue_entry", false);
});
