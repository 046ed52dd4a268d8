import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "#lib/auth/api-key.ts";
import { db, Prisma, type Tx } from "#lib/db.ts";
import { vacuum } from "#tests/integration/database/large-table.ts";
import { makeKey } from "#tests/setup/factories.ts";

/*
 * The cost of a queue operation, in blocks and WAL records, must not depend on the number of pending or
 * reserved posts, or of an author's posts.
 */

const SMALL = 1_000;
const LARGE = 100_000;
/** An index of the large queue is one or two levels deeper. */
const DEEPER = 25;
type Move = "oldest" | "random" | "topical" | "ack" | "nack";
const cases: [Move, number][] = [
  ["oldest", 1],
  ["random", 1],
  ["topical", 1],
  ["ack", 1],
  ["nack", 1],
  ["oldest", 16],
  ["random", 16],
  ["ack", 16],
  ["nack", 16],
];

interface Cost {
  blocks: number;
  records: number;
  /** Without full-page images, which the test server does not write. */
  bytes: number;
}

let hash: ReturnType<typeof hashKey>;
let small: Map<string, Cost>;
let large: Map<string, Cost>;

beforeAll(async () => {
  hash = hashKey(await makeKey());
  const today = Prisma.sql`(SELECT extract(dow FROM now() AT TIME ZONE 'UTC')::int)`;
  await db.$executeRaw`INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week) VALUES ('rare', 'rare', ${today})`;
  await grow(0, SMALL);
  small = await costs();
  await grow(SMALL, LARGE);
  large = await costs();
}, 120_000);

/** Adds posts and reserves a tenth. Table statistics are from before. */
async function grow(from: number, to: number): Promise<void> {
  await db.$executeRaw`UPDATE queue_entry SET state = 'pending', lease_id = NULL, reserved_at = NULL, lease_expires_at = NULL`;
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, confirmed_at, approved_at, post_created_at, author_key, tags, missing)
        SELECT n, now(), now() - (${LARGE} - n) * interval '1 second', now() - (${LARGE} - n) * interval '1 minute', 'author' || n % 500 || '@x.example',
               CASE WHEN n % 50 = 1 THEN '{rare}' ELSE '{common}' END::text[], n % 2
          FROM generate_series(${from}::int + 1, ${to}::int) n`;
      await tx.$executeRaw`
        INSERT INTO queue_topic (tag, post_id, approved_at, missing, random_key)
        SELECT 'rare', post_id, approved_at, missing, random_key FROM queue_entry
         WHERE post_id > ${from} AND tags @> '{rare}'`;
      await tx.$executeRaw`
        INSERT INTO post (id, uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
        SELECT n, 'https://x.example/' || n, 'a', '@a@x.example', 'a@x.example', 'x.example', now(), true, now()
          FROM generate_series(${from}::int + 1, ${to}::int) n`;
    },
    { timeout: 60_000 },
  );
  await db.$executeRaw`ANALYZE queue_entry`;
  await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT max(id) FROM api_key), reserved_at = now(),
    lease_expires_at = now() + interval '1 hour' WHERE post_id % 10 = 0`;
  for (const table of ["queue_entry", "queue_topic", "post"]) await vacuum(table, false);
}

async function costs(): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const [move, together] of cases) found.set(`${move} ${together}`, await costOf(move, together));
  return found;
}

async function costOf(move: Move, together: number): Promise<Cost> {
  const found: Cost[] = [];
  await db
    .$transaction(async (tx) => {
      for (let first = 1; first + together <= 100; first += together)
        found.push(await call(tx, move, first, together));
      throw new Error("undo");
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error) || error.message !== "undo") throw error;
    });
  // The first calls load the catalog and plan.
  const warm = found.slice(Math.floor(found.length / 3));
  const middle = (figure: keyof Cost) =>
    (warm.map((cost) => cost[figure]).toSorted((a, b) => a - b)[Math.floor(warm.length / 2)] ?? NaN) /
    together;
  return { blocks: middle("blocks"), records: middle("records"), bytes: middle("bytes") };
}

async function call(tx: Tx, move: Move, first: number, together: number): Promise<Cost> {
  const keys = Array.from({ length: together }, () => Buffer.from(hash).toString("hex"));
  const ids = keys.map((_, i) => 10 * (first + i));
  const leases = keys.map(() => null);
  const options = Prisma.sql`${move === "random"}::boolean, ${move === "topical" ? [true, false] : [false]}::boolean[], 'UTC', 300, 24`;
  const settles = move === "ack" || move === "nack";
  const [one, many] = settles
    ? [
        Prisma.sql`queue_settle(${hash}::bytea, NULL, NULL, ${ids[0]}::int, ${move}, NULL, NULL, NULL, 300)`,
        Prisma.sql`queue_settle_many(queue_identify_many(${keys}::text[], 'consume'), ${ids}::int[], ${leases}::text[], ${move}, NULL, NULL, 0)`,
      ]
    : [
        Prisma.sql`queue_reserve(queue_identify(${hash}::bytea, NULL, NULL, 'consume'), ${options})`,
        Prisma.sql`queue_reserve_many(queue_identify_many(${keys}::text[], 'consume'), ${options})`,
      ];
  const rows = await tx.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
    EXPLAIN (ANALYZE, BUFFERS, WAL, FORMAT JSON) SELECT outcome FROM ${together > 1 ? many : one}`;
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  return { blocks: blocksOf(plan), records: plan?.["WAL Records"] ?? NaN, bytes: plan?.["WAL Bytes"] ?? NaN };
}

function blocksOf(plan: Record<string, number> | undefined): number {
  return (plan?.["Shared Hit Blocks"] ?? NaN) + (plan?.["Shared Read Blocks"] ?? NaN);
}

describe.each(cases)(
  `%s (%i together) in a queue of ${LARGE} posts beside one of ${SMALL}`,
  (move, together) => {
    const figure = (of: Map<string, Cost>, name: keyof Cost) => of.get(`${move} ${together}`)?.[name] ?? NaN;

    it("touches as many blocks", () => {
      expect(figure(large, "blocks")).toBeLessThanOrEqual(figure(small, "blocks") + DEEPER);
    });

    it("writes no more rows and index entries", () => {
      // In a small queue several of the 16 posts are on one page, which is pruned and logged once.
      expect(figure(large, "records")).toBeLessThanOrEqual(figure(small, "records") + 2);
      expect(figure(large, "bytes")).toBeLessThanOrEqual(figure(small, "bytes") * 1.1);
    });
  },
);

describe("a random draw", () => {
  // Two or three windows of 24 posts, each from two index positions, and 65 posts. Table lookups would
  // triple that.
  it("reads its windows from the index alone", async () => {
    const rows = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
      EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
      SELECT d.drawn FROM generate_series(1, 40) n, queue_draws(queue_pool_of('{}'), n / n) d`;
    expect(blocksOf(rows[0]?.["QUERY PLAN"][0].Plan) / 40).toBeLessThan(150);
  });
});
