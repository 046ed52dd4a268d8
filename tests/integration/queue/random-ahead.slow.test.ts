import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/db.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { planSourceChecks } from "#lib/sources/plan-checks.ts";
import { vacuum } from "#tests/integration/database/large-table.ts";
import { makePending } from "#tests/setup/factories.ts";
import { emptyQueue } from "./moves.ts";

/*
 * A random reservation while most posts are unconfirmed. Each trial gives the posts new random keys, lets the
 * worker's plan choose the posts to confirm, and draws once. The draws must be as random as among all posts.
 */

const POSTS = 1_200;
const TRIALS = 200;
const GROUPS = 8;

beforeEach(async () => {
  await emptyQueue();
  await db.source_check.deleteMany();
  await db.queue_use.deleteMany();
});

/** Pearson's chi-square for the given probabilities. */
function chiSquare(counts: number[], expected: number[]): number {
  return counts.reduce((sum, count, i) => sum + (count - (expected[i] ?? 1)) ** 2 / (expected[i] ?? 1), 0);
}

/** Posts in order of approval, each by another author. */
async function fill(): Promise<number[]> {
  const first = await makePending();
  await db.$executeRaw`
    INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
    SELECT 'https://x.example/ahead/' || n, 'a', '@a@x.example', 'a@x.example', 'x.example', now(), true, now()
      FROM generate_series(1, ${POSTS}::int) n`;
  await db.$executeRaw`
    INSERT INTO queue_entry (post_id, approved_at, post_created_at, author_key)
    SELECT p.id, now() - interval '1 day' + p.id * interval '1 second', now(), 'author' || p.id || '@x.example'
      FROM post p WHERE p.uri LIKE 'https://x.example/ahead/%'`;
  await db.post.delete({ where: { id: first.id } });
  // Index entries of an earlier test's updates would slow down every draw.
  await vacuum("queue_entry");
  const rows = await db.queue_entry.findMany({ orderBy: { approved_at: "asc" }, select: { post_id: true } });
  return rows.map(({ post_id }) => post_id);
}

const deadline = () => new Date(Date.now() + 20_000);

/** One draw after the plan's checks succeeded. `known`: posts confirmed for another reason. */
async function draw(known: number[]): Promise<number> {
  await db.$executeRaw`UPDATE queue_entry SET random_key = random(), holds = ${holdBits.unconfirmed}::smallint,
    confirmed_at = '1970-01-01Z'`;
  await db.source_check.deleteMany();
  await planSourceChecks({ deadline: deadline() });
  await db.$executeRaw`UPDATE queue_entry SET holds = 0, confirmed_at = now()
    WHERE post_id IN (SELECT post_id FROM source_check) OR post_id = ANY (${known}::int[])`;
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT (queue_pick(queue_pool_of('{}', p_since => confirmed_since(24)), true, 1, '{}'))[1] AS id`;
  return rows[0]?.id ?? NaN;
}

describe("a random reservation from confirmed posts", () => {
  it("chooses every post of the queue equally often, also beside a confirmed head", async () => {
    const ids = await fill();
    await db.queue_use.create({ data: { pool: { streams: [], topical: false, random: true } } });
    // The head of the queue is confirmed anyway.
    const known = ids.slice(0, POSTS / GROUPS);
    const counts = Array.from({ length: GROUPS }, () => 0);
    for (let trial = 0; trial < TRIALS; trial++) {
      const place = ids.indexOf(await draw(known));
      expect(place).toBeGreaterThanOrEqual(0);
      const group = Math.floor((place * GROUPS) / ids.length);
      counts[group] = (counts[group] ?? 0) + 1;
    }
    // Seven degrees of freedom, p = 10⁻⁷.
    expect(
      chiSquare(
        counts,
        counts.map(() => TRIALS / GROUPS),
      ),
    ).toBeLessThan(45.7);
  }, 600_000);

  it("returns the author's oldest post, which is checked too", async () => {
    const ids = await fill();
    await db.$executeRaw`UPDATE queue_entry SET author_key = 'one@x.example'`;
    await db.queue_use.create({ data: { pool: { streams: [], topical: false, random: true } } });
    for (let trial = 0; trial < 5; trial++) expect(await draw([])).toBe(ids[0]);
  });
});
