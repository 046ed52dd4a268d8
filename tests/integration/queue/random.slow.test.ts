import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { makePending } from "#tests/setup/factories.ts";
import { chiSquare, emptyQueue } from "./moves.ts";

beforeEach(emptyQueue);

describe("random, among many posts", () => {
  it("is uniform, and independent between calls", async () => {
    const ids: number[] = [];
    for (let i = 0; i < 200; i++) ids.push((await makePending({ author_key: `a${i}@x.example` })).id);
    const pool = JSON.stringify({ recheck: false, streams: [], since: "-infinity" });
    const drawn = await db.$queryRaw<{ id: number }[]>`
      SELECT queue_choose(jsonb_populate_record(NULL::queue_pool, ${pool}::jsonb), true) AS id FROM generate_series(1, 4000)`;
    const ring = await db.queue_entry.findMany({ orderBy: { random_key: "asc" }, select: { post_id: true } });
    const rank = new Map(ring.map((each, i) => [each.post_id, i]));
    const counts = new Map(ids.map((id) => [id, 0]));
    let near = 0;
    for (const [i, { id }] of drawn.entries()) {
      counts.set(id, (counts.get(id) ?? 0) + 1);
      const apart = Math.abs((rank.get(id) ?? 0) - (rank.get(drawn[i - 1]?.id ?? 0) ?? 0));
      if (Math.min(apart, 200 - apart) <= 10) near += 1;
    }
    expect(chiSquare([...counts.values()])).toBeLessThan(320.7);
    // 10.5 % of 4 000 pairs are within ten positions, ± 5.4 standard deviations.
    expect(Math.abs(near - (21 / 200) * 4_000)).toBeLessThan(105);
  }, 120_000);
});
