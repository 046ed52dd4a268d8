import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { makeKey, makePending, makeStream, picture, setSwitches } from "#tests/setup/factories.ts";
import { createTopicalTag } from "#lib/queue/topical-tags.ts";
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

async function drawFrom(streams: number[], tags: string[] | null, times = 1): Promise<number[]> {
  const pool = JSON.stringify({ recheck: false, streams, tags, since: "-infinity" });
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT queue_choose(jsonb_populate_record(NULL::queue_pool, ${pool}::jsonb), true) AS id
      FROM generate_series(1, ${times}::int)`;
  return rows.map(({ id }) => id);
}

const ruleFor = (hashtag: string) =>
  createTopicalTag(servicePrincipal, { hashtag, topical_day_of_week: "Sunday" });

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
    await ruleFor("owls");
    const stream = await makeStream();
    const fits = {
      author_key: "many@x.example",
      hashtags: ["owls"],
      media: [picture()],
      stream_id: stream.id,
    };
    await makePending({ ...fits, media: [] }, new Date(1000));
    const elsewhere = await makePending({ ...fits, stream_id: (await makeStream()).id }, new Date(2000));
    const untagged = await makePending({ ...fits, hashtags: [] }, new Date(3000));
    const held = await makePending(fits, new Date(4000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${held.id}`;
    const keptBack = await makePending(fits, new Date(5000));
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() + interval '1 hour' WHERE post_id = ${keptBack.id}`;
    const good = await makePending(fits, new Date(6000));
    await makePending(fits, new Date(6000));
    await setSwitches({ require_media: true });
    expect(await drawFrom([stream.id], ["owls"])).toEqual([good.id]);
    expect(await drawFrom([], ["owls"])).toEqual([elsewhere.id]);
    expect(await drawFrom([stream.id], null)).toEqual([untagged.id]);
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
    for (const hashtag of rules) await ruleFor(hashtag);
    const posts: { id: number; own: boolean; topical: boolean }[] = [];
    for (const hashtags of [[], ["owls"], rules])
      for (const own of [true, false]) {
        const data = { hashtags, ...(own ? { stream_id: stream.id } : {}) };
        await makePending(data);
        const { id } = await makePending({ ...data, media: [picture()] });
        posts.push({ id, own, topical: hashtags.length > 0 });
      }
    await setSwitches({ require_media: true });
    for (const streams of [[], [stream.id]])
      for (const tags of [null, rules]) {
        const pool = posts.filter(
          (post) => (post.own || streams.length === 0) && (post.topical || tags === null),
        );
        const ids = await drawFrom(streams, tags, draws(3000));
        const counts = new Map<number, number>();
        for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
        expect([...counts.keys()].sort((x, y) => x - y)).toEqual(pool.map((post) => post.id));
        expect(chiSquare([...counts.values()])).toBeLessThan(40.87);
      }
  });
});
