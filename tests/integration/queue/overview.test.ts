import { beforeEach, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/curated/overview/route.ts";
import { db } from "#lib/base/db.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";
import { makeKey, makePending, picture, setSwitches } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, next, settle } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);
const overview = async () => (await call<QueueOverview>(GET, { path: "/api/v1/curated/overview", key })).json;

describe("GET /curated/overview", () => {
  it("lists upcoming posts in the order of hand-out", async () => {
    for (let i = 0; i < 25; i++) await makePending({}, new Date(Date.UTC(2026, 0, 1 + ((i * 7) % 25))));
    const { upcoming } = await overview();
    expect(upcoming).toHaveLength(20);
    const handedOut = [];
    for (let i = 0; i < 20; i++) handedOut.push((await next(key)).json.fenliu_post_id);
    expect(upcoming.map((post) => post.post_id)).toEqual(handedOut);
  });

  it("lists the first expiring reservation and the first returning post on top", async () => {
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await makePending({}, new Date(1000 * i))).id);
    const [lasting, ending, late, soon] = ids as [number, number, number, number];
    for (let i = 0; i < 2; i++) await next(key);
    await ageReservation(ending, 60);
    for (const [id, minutes] of [
      [late, 30],
      [soon, 5],
    ])
      await db.$executeRaw`UPDATE queue_entry SET not_before = now() + ${minutes}::int * interval '1 minute' WHERE post_id = ${id}`;
    const { reservations, refused } = await overview();
    expect(reservations.map((post) => post.post_id)).toEqual([ending, lasting]);
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
    expect((await overview()).deliveries_per_day).toBeCloseTo(1, 1);
    await db.$executeRaw`TRUNCATE tally_delta`;
  });

  it("returns holders, hold reasons, refused posts and runway", async () => {
    const delivered = await makePending({ media: [picture()] }, new Date(1000));
    await next(key);
    await settle("ack", key, delivered.id);
    const reserved = await makePending({ media: [picture()] }, new Date(2000));
    await next(key);
    const refused = await makePending({ media: [picture()] }, new Date(3000));
    await db.$executeRaw`UPDATE queue_entry SET refusals = 6, nacks = 7, timeouts = 2, not_before = now() + interval '4 seconds' WHERE post_id = ${refused.id}`;
    const bare = await makePending({}, new Date(4000));
    const closed = await makePending({ media: [picture()] }, new Date(5000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${closed.id}`;
    await makePending({ media: [picture()] }, new Date(6000));
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id IN (${delivered.id}, ${reserved.id})`;
    await setSwitches({ require_media: true });

    const result = await overview();
    expect(result.counts).toEqual({ pending: 4, reserved: 1, delivered: 1, error: 0 });
    expect(result.reservations).toMatchObject([
      { post_id: reserved.id, reserved_by: expect.stringMatching(/^key/) as string },
    ]);
    expect(result.refused).toMatchObject([{ post_id: refused.id, refusals: 6, nacks: 7, timeouts: 2 }]);
    expect(result.held).toEqual(
      expect.arrayContaining([
        { reason: "require_media", count: 1 },
        { reason: "unverifiable", count: 1 },
      ]),
    );
    expect(result.held_posts.map((post) => [post.post_id, post.held_by])).toEqual([
      [bare.id, "require_media"],
      [closed.id, "unverifiable"],
    ]);
    expect(result).toMatchObject({ available: 1, kept_back: 1, deliveries_per_day: 1, runway_days: 1 });
  });
});
