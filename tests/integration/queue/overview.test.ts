import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { makeKey, makePending, picture, setSwitches } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { emptyQueue, next, settle } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);

describe("the overview of the queue", () => {
  it("lists upcoming posts in the order of hand-out", async () => {
    for (let i = 0; i < 25; i++) await makePending({}, new Date(Date.UTC(2026, 0, 1 + ((i * 7) % 25))));
    const { upcoming } = await queueOverview();
    expect(upcoming).toHaveLength(5);
    const handedOut = [];
    for (let i = 0; i < 5; i++) handedOut.push((await next(key)).json.fenliu_post_id);
    expect(upcoming.map((post) => post.post_id)).toEqual(handedOut);
  });

  it("lists the first returning post on top", async () => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await makePending({}, new Date(1000 * i))).id);
    const [, , late, soon] = ids as [number, number, number, number];
    for (let i = 0; i < 2; i++) await next(key);
    for (const [id, minutes] of [
      [late, 30],
      [soon, 5],
    ])
      await db.$executeRaw`UPDATE queue_entry SET not_before = now() + ${minutes}::int * interval '1 minute' WHERE post_id = ${id}`;
    const { refused } = await queueOverview();
    expect(refused.map((post) => post.post_id)).toEqual([soon, late]);
  });

  it("computes the pace from the present hour and the 671 before", async () => {
    await db.$executeRaw`DELETE FROM tally WHERE kind = 'hour'`;
    await db.$executeRaw`TRUNCATE tally_delta`;
    await addEvents("delivered", [
      [0, 3],
      [671, 25],
      [672, 300],
    ]);
    expect((await queueOverview()).deliveries_per_day).toBeCloseTo(1, 1);
    await db.$executeRaw`TRUNCATE tally_delta`;
  });

  it("returns hold reasons, refused posts and runway", async () => {
    const delivered = await makePending({ media: [picture()] }, new Date(1000));
    await next(key);
    await settle("ack", key, delivered.id);
    const reserved = await makePending({ media: [picture()] }, new Date(2000));
    await next(key);
    const refused = await makePending({ media: [picture()] }, new Date(3000));
    await db.$executeRaw`UPDATE queue_entry SET refusals = 6, nacks = 7, timeouts = 2, not_before = now() + interval '4 seconds' WHERE post_id = ${refused.id}`;
    await makePending({}, new Date(4000));
    const closed = await makePending({ media: [picture()] }, new Date(5000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${closed.id}`;
    await makePending({ media: [picture()] }, new Date(6000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id IN (${delivered.id}, ${reserved.id})`;
    await setSwitches({ require_media: true });

    const result = await queueOverview();
    expect(result.counts).toEqual({ pending: 4, reserved: 1, delivered: 1, error: 0 });
    expect(result.refused).toMatchObject([{ post_id: refused.id, refusals: 6, nacks: 7, timeouts: 2 }]);
    expect(result.held).toEqual(
      expect.arrayContaining([
        { reason: "require_media", count: 1 },
        { reason: "unverifiable", count: 1 },
      ]),
    );
    expect(result).toMatchObject({ available: 1, kept_back: 1, deliveries_per_day: 1, runway_days: 1 });
  });
});
