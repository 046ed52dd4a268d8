import { beforeAll, describe, expect, it } from "vitest";
import { hashKey } from "#lib/auth/api-key.ts";
import { db, Prisma, type Tx } from "#lib/db.ts";
import { makeKey } from "#tests/setup/factories.ts";

/*
 * What one move of the queue costs must not depend on how many posts wait, how many are reserved or how many an
 * author has: counted in blocks and in records of the write-ahead log (one for each row and index entry written).
 */

const SMALL = 1_000;
const LARGE = 100_000;
/** An index of the large queue is a level or two deeper, and a call looks some things up in it more than once. */
const DEEPER = 25;
type Move = "oldest" | "random" | "topical" | "ack" | "nack";
/** A move, and how many callers share its round trip. */
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

/** For each caller. */
interface Cost {
  blocks: number;
  records: number;
  /** No images of whole pages are among them: the server of the tests writes none. */
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

/** More posts at the end of the queue; then a tenth is reserved for long. Statistics are from when nothing was. */
async function grow(from: number, to: number): Promise<void> {
  await db.$executeRaw`UPDATE queue_entry SET state = 'pending', lease_id = NULL, reserved_at = NULL, lease_expires_at = NULL`;
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`
        INSERT INTO queue_entry (post_id, approved_at, post_created_at, author_key, tags, missing)
        SELECT n, now() - (${LARGE} - n) * interval '1 second', now() - (${LARGE} - n) * interval '1 minute', 'author' || n % 500 || '@x.example',
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
  await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), reserved_at = now(),
    lease_expires_at = now() + interval '1 hour' WHERE post_id % 10 = 0`;
  await db.$executeRaw`VACUUM queue_entry, queue_topic, post`;
}

async function costs(): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const [move, together] of cases) found.set(`${move} ${together}`, await costOf(move, together));
  return found;
}

/** The middle of some calls, everything they call included; all of it is rolled back. */
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
  // The first ones look up the catalog and plan.
  const warm = found.slice(Math.floor(found.length / 3));
  const middle = (figure: keyof Cost) =>
    (warm.map((cost) => cost[figure]).toSorted((a, b) => a - b)[Math.floor(warm.length / 2)] ?? NaN) /
    together;
  return { blocks: middle("blocks"), records: middle("records"), bytes: middle("bytes") };
}

/** The whole call; acks and nacks are of the reserved posts from the `first` one on. */
async function call(tx: Tx, move: Move, first: number, together: number): Promise<Cost> {
  const keys = Array.from({ length: together }, () => Buffer.from(hash).toString("hex"));
  const ids = keys.map((_, i) => 10 * (first + i));
  const leases = keys.map(() => null);
  const wish = Prisma.sql`${move === "random"}::boolean, ${move === "topical"}::boolean, false, 'UTC', 300, true`;
  const settles = move === "ack" || move === "nack";
  const [one, many] = settles
    ? [
        Prisma.sql`queue_settle(${hash}::bytea, NULL, NULL, 'consume', ${ids[0]}::int, ${move}, NULL, NULL, NULL, 300, true)`,
        Prisma.sql`queue_settle_many(${keys}::text[], ${ids}::int[], ${leases}::text[], ${move}, true)`,
      ]
    : [
        Prisma.sql`queue_reserve(${hash}::bytea, NULL, NULL, ${wish})`,
        Prisma.sql`queue_reserve_many(${keys}::text[], ${wish})`,
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
      // One more where a page was tidied on the way.
      expect(figure(large, "records")).toBeLessThanOrEqual(figure(small, "records") + 1);
      expect(figure(large, "bytes")).toBeLessThanOrEqual(figure(small, "bytes") * 1.1);
    });
  },
);

describe("a random draw", () => {
  // Two or three windows of 24 posts, each from two places of an index, and 65 posts to begin with: a look at the table
  // for each of them would be twice as much again.
  it("learns what lies in its windows from the index alone", async () => {
    const rows = await db.$queryRaw<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }[]>`
      EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)
      SELECT d.drawn FROM generate_series(1, 40) n, queue_draws(0, '{}', NULL, n / n) d`;
    expect(blocksOf(rows[0]?.["QUERY PLAN"][0].Plan) / 40).toBeLessThan(150);
  });
});
