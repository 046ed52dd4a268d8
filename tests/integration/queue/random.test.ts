import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { makeKey, makePending, makeStream, picture } from "#tests/setup/factories.ts";
import { chiSquare, emptyQueue, next, giveBack } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);
/** A quarter of them, except among the slow tests. */
const draws = (n: number) => (process.env.TEST_SLOW ? n : n / 4);

async function draw(n: number, query = "random=true"): Promise<Map<number, number>> {
  const seen = new Map<number, number>();
  for (let i = 0; i < n; i++) {
    const { json } = await next(key, query);
    seen.set(json.fenliu_post_id, (seen.get(json.fenliu_post_id) ?? 0) + 1);
    await giveBack(json.fenliu_post_id);
  }
  return seen;
}

describe("random", () => {
  it("is uniform (chi-square)", async () => {
    const posts = [];
    for (let i = 0; i < 6; i++) posts.push(await makePending({ media: i % 2 ? [picture()] : [] }));
    // Uneven keys: the next key after a random point would nearly always be the first.
    for (const [i, post] of posts.entries()) {
      await db.queue_entry.update({ where: { post_id: post.id }, data: { random_key: 0.5 + i * 0.0001 } });
    }
    const seen = await draw(draws(600));
    expect(seen.size).toBe(6);
    expect(chiSquare([...seen.values()])).toBeLessThan(40.87);
  }, 120_000);

  it("returns the drawn author's oldest post of the pool", async () => {
    const stream = await makeStream();
    const fits = {
      author_key: "many@x.example",
      hashtags: ["owls"],
      media: [picture()],
      stream_id: stream.id,
    };
    const bare = await makePending({ ...fits, media: [] }, new Date(1000));
    const elsewhere = await makePending({ ...fits, stream_id: (await makeStream()).id }, new Date(2000));
    const untagged = await makePending({ ...fits, hashtags: [] }, new Date(3000));
    const held = await makePending(fits, new Date(4000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${held.id}`;
    const keptBack = await makePending(fits, new Date(5000));
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() + interval '1 hour' WHERE post_id = ${keptBack.id}`;
    const [good, twin] = [await makePending(fits, new Date(6000)), await makePending(fits, new Date(6000))];
    const oldest = async (mask: number, streams: number[], tags: string[] | null, taken: number[] = []) =>
      (
        await db.$queryRaw<{ id: number }[]>`SELECT (queue_pick(
          ROW(${mask}::int, ${streams}::int[], ${tags}::text[], '-infinity')::queue_pool, true, 1, ${taken}::int[]))[1] AS id`
      )[0]?.id;
    expect(await oldest(1, [stream.id], ["owls"])).toBe(good.id);
    expect(await oldest(1, [stream.id], ["owls"], [good.id])).toBe(twin.id);
    expect(await oldest(0, [stream.id], ["owls"])).toBe(bare.id);
    expect(await oldest(1, [], ["owls"])).toBe(elsewhere.id);
    expect(await oldest(1, [stream.id], null)).toBe(untagged.id);
  });

  it("finds the free post when the drawn ones are locked", async () => {
    const posts = [];
    for (let i = 0; i < 80; i++) posts.push(await makePending());
    const free = posts.pop();
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id <> ${free?.id} FOR UPDATE`;
      expect((await next(key, "random=1")).json.fenliu_post_id).toBe(free?.id);
    });
  });

  it("draws uniformly from each pool, a post with two topical hashtags once", async () => {
    const stream = await makeStream();
    const rules = ["owls", "birds"];
    for (const hashtag of rules)
      await db.topical_tag.create({ data: { hashtag, hashtag_folded: hashtag, day_of_week: 0 } });
    const posts: { id: number; fits: boolean; own: boolean; topical: boolean }[] = [];
    for (const hashtags of [[], ["owls"], rules])
      for (const own of [true, false])
        for (const fits of [true, false]) {
          const data = { hashtags, media: fits ? [picture()] : [], ...(own ? { stream_id: stream.id } : {}) };
          const { id } = await makePending(data);
          posts.push({ id, fits, own, topical: hashtags.length > 0 });
        }
    for (const streams of [[], [stream.id]])
      for (const tags of [null, rules]) {
        const pool = posts.filter(
          (post) => post.fits && (post.own || streams.length === 0) && (post.topical || tags === null),
        );
        const rows = await db.$queryRaw<{ id: number }[]>`
          SELECT (queue_pick(ROW(1, ${streams}::int[], ${tags}::text[], '-infinity')::queue_pool, true, 1, '{}'))[1] AS id
            FROM generate_series(1, ${draws(3000)}::int)`;
        const counts = new Map<number, number>();
        for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
        expect([...counts.keys()].sort((x, y) => x - y)).toEqual(pool.map((post) => post.id));
        expect(chiSquare([...counts.values()])).toBeLessThan(40.87);
      }
  });

  it("gives batched calls the same distribution as single calls", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 6; i++) ids.push((await makePending({ author_key: `a${i}@x.example` })).id);
    const rows = await db.$queryRaw<{ picked: number[] }[]>`
      SELECT queue_pick(queue_pool_of('{}'), true, 3, '{}') AS picked FROM generate_series(1, ${draws(12000)}::int)`;
    const counts = new Map<string, number>();
    for (const { picked } of rows) counts.set(picked.join(), (counts.get(picked.join()) ?? 0) + 1);
    // 120 equally likely orders.
    expect(counts.size).toBe(120);
    expect(chiSquare([...counts.values()])).toBeLessThan(217.3);
  });

  it("draws for a batch as for one call: by post, then the author's oldest", async () => {
    for (let i = 0; i < 4; i++)
      await makePending({ author_key: i < 2 ? "two@x.example" : `one${i}@x.example` }, new Date(1000 * i));
    const name = async (count: number) => {
      const rows = await db.$queryRaw<{ picked: number[] }[]>`
        SELECT queue_pick(queue_pool_of('{}'), true, ${count}::int, '{}') AS picked FROM generate_series(1, 6000)`;
      return rows.map((row) => row.picked);
    };
    const entries = await db.queue_entry.findMany({ orderBy: { approved_at: "asc" } });
    const [old, young, ...single] = entries.map((each) => each.post_id) as [number, number, number, number];
    const pairs = (await name(2)).map((picked) => picked.join());
    const share = (...wanted: number[]) => pairs.filter((pair) => pair === wanted.join()).length / 6000;
    // The older of the pair has 1/2, each of the others then 1/3.
    expect(pairs.some((pair) => pair.startsWith(`${young},`))).toBe(false);
    for (const next of [young, ...single]) expect(Math.abs(share(old, next) - 1 / 6)).toBeLessThan(0.025);
    for (const [i, first] of single.entries()) {
      expect(Math.abs(share(first, old) - (1 / 4) * (2 / 3))).toBeLessThan(0.025);
      expect(Math.abs(share(first, single[1 - i] as number) - (1 / 4) * (1 / 3))).toBeLessThan(0.025);
    }
  });
});
