import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { makePending } from "#tests/setup/factories.ts";
import { chiSquare, emptyQueue } from "./moves.ts";

beforeEach(emptyQueue);

describe("random, among many posts", () => {
  it("is uniform for a batch among many posts and independent between calls", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 200; i++) ids.push((await makePending({ author_key: `a${i}@x.example` })).id);
    const rows = await db.$queryRaw<{ picked: number[] }[]>`
      SELECT queue_pick(queue_pool_of('{}'), true, 5, '{}') AS picked FROM generate_series(1, 4000)`;
    const ring = await db.queue_entry.findMany({ orderBy: { random_key: "asc" }, select: { post_id: true } });
    const rank = new Map(ring.map((each, i) => [each.post_id, i]));
    let near = 0;
    for (let place = 0; place < 5; place++) {
      const counts = new Map(ids.map((id) => [id, 0]));
      for (const { picked } of rows) {
        const id = picked[place] as number;
        counts.set(id, (counts.get(id) ?? 0) + 1);
        const apart = Math.abs((rank.get(id) ?? 0) - (rank.get(picked[(place + 1) % 5] as number) ?? 0));
        if (Math.min(apart, 200 - apart) <= 10) near += 1;
      }
      expect(chiSquare([...counts.values()])).toBeLessThan(320.7);
    }
    expect(rows.every(({ picked }) => new Set(picked).size === 5)).toBe(true);
    // 10 % of 20 000 pairs are within ten positions, ± 5.4 standard deviations.
    expect(Math.abs(near - (20 / 199) * 20_000)).toBeLessThan(230);
  });
});
