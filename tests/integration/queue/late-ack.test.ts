import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { POST as undoAction } from "#app/api/v1/actions/[id]/undo/route.ts";
import { POST as runBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { db } from "#lib/db.ts";
import { makeKey, makeMember, makePending, makeStream } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, entry, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

/** A post whose reservation by `key` ended and was swept, with nobody else having had it. */
async function timedOut(key: string, stream?: number) {
  const { id } = await makePending(stream === undefined ? {} : { stream_id: stream });
  const answer = await next(key);
  expect(answer.json.fenliu_post_id).toBe(id);
  await ageReservation(id, 1000);
  await db.$executeRaw`SELECT queue_sweep(false)`;
  expect((await entry(id)).state).toBe("pending");
  return { id, etag: answer.headers.get("etag") as string };
}

const ack = (key: string, id: number, etag: string) =>
  settle("ack", key, id, undefined, { "if-match": etag });
const events = (id: number) =>
  db.post_event.findMany({
    where: { post_id: id },
    orderBy: { id: "asc" },
    select: { action: true, from_state: true, to_state: true },
  });

describe("an ack after the reservation was swept", () => {
  it("counts when it names that reservation, and the post is not offered again", async () => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    expect((await ack(key, id, etag)).status).toBe(204);
    expect(await entry(id)).toMatchObject({
      state: "delivered",
      refusals: 0,
      timeouts: 1,
      last_lease_id: null,
      lease_key_id: expect.any(Number) as number,
    });
    expect((await events(id)).slice(-2)).toEqual([
      { action: "time_out", from_state: "reserved", to_state: "pending" },
      { action: "ack", from_state: "pending", to_state: "delivered" },
    ]);
    expect((await next(key)).status).toBe(204);
    expect((await ack(key, id, etag)).json).toMatchObject({ code: "wrong_state", state: "delivered" });
  });

  it("is counted as one delivery", async () => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    const sum = async () => {
      const [{ pending = 0, delivered = 0 }, events] = await Promise.all([sumsOf("level"), sumsOf("all")]);
      return { pending, delivered, deliveries: events["delivered"] ?? 0 };
    };
    const before = await sum();
    await ack(key, id, etag);
    const after = await sum();
    expect([
      after.pending - before.pending,
      after.delivered - before.delivered,
      after.deliveries - before.deliveries,
    ]).toEqual([-1, 1, 1]);
  });

  it.each(["*", '"11111111-2222-4333-8444-555555555555"', undefined])(
    "does not count with If-Match %s",
    async (etag) => {
      const key = await makeKey();
      const { id } = await timedOut(key);
      const answer = await settle("ack", key, id, undefined, etag === undefined ? {} : { "if-match": etag });
      expect(answer).toMatchObject({ status: 409, json: { state: "pending" } });
      expect((await entry(id)).state).toBe("pending");
    },
  );

  it.each(["nack", "error", "extend"] as const)("does not make %s count", async (verb) => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    expect((await settle(verb, key, id, undefined, { "if-match": etag })).status).toBe(409);
    expect((await entry(id)).state).toBe("pending");
  });

  it("counts after an operator's release, and not after a nack", async () => {
    const key = await makeKey();
    const { id } = await makePending();
    const first = (await next(key)).headers.get("etag") as string;
    await settle("nack", key, id);
    expect((await ack(key, id, first)).status).toBe(409);
    const second = (await next(key)).headers.get("etag") as string;
    await settle("release", key, id);
    expect((await ack(key, id, first)).status).toBe(409);
    expect((await ack(key, id, second)).status).toBe(204);
  });

  it("is refused after another reservation of the post", async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    for (const end of ["holds it", "nacked it", "lost it"]) {
      await emptyQueue();
      const { id, etag } = await timedOut(key);
      expect((await next(other)).json.fenliu_post_id).toBe(id);
      if (end === "nacked it") await settle("nack", other, id);
      if (end === "lost it") {
        await ageReservation(id, 1000);
        await db.$executeRaw`SELECT queue_sweep(false)`;
      }
      expect((await ack(key, id, etag)).status, end).toBe(end === "holds it" ? 412 : 409);
      expect((await entry(id)).state).not.toBe("delivered");
    }
  });

  it("does not count for a post that was rejected meanwhile", async () => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    await db.queue_entry.delete({ where: { post_id: id } });
    await db.post.update({ where: { id }, data: { approved: false, reviewed_at: new Date() } });
    expect((await ack(key, id, etag)).json).toMatchObject({ code: "wrong_state", state: "rejected" });
  });

  it("does not count for a post that its author edited meanwhile, nor for its new approval", async () => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    const body = { decisions: [{ id: randomUUID(), post_id: id, decision: "approve" }] };
    // As an edit does: the approval ends, and the entry with it.
    await db.queue_entry.delete({ where: { post_id: id } });
    await db.post.update({ where: { id }, data: { approved: null, reviewed_at: null, approved_at: null } });
    expect((await ack(key, id, etag)).json).toMatchObject({ code: "wrong_state", state: "unreviewed" });
    await call(decide, { method: "POST", path: "/api/v1/x", key, body });
    expect((await ack(key, id, etag)).json).toMatchObject({ code: "wrong_state", state: "pending" });
    expect((await next(key)).json.fenliu_post_id).toBe(id);
  });

  it("is for the former holder and for keys with manage", async () => {
    const consumer = async () =>
      makeKey({ scopes: ["consume"], created_by: (await makeMember("reviewer")).id });
    const holder = await consumer();
    const { id, etag } = await timedOut(holder);
    expect((await ack(await consumer(), id, etag)).status).toBe(409);
    expect((await ack(await makeKey({ scopes: ["consume", "manage"] }), id, etag)).status).toBe(204);
  });

  it("is for a bound key only on its streams or for its own reservation", async () => {
    const [mine, theirs] = [await makeStream(), await makeStream()];
    const bound = await makeKey({ stream_ids: [mine.id] });
    const { id, etag } = await timedOut(bound, mine.id);
    expect((await ack(await makeKey({ stream_ids: [theirs.id] }), id, etag)).status).toBe(404);
    expect((await ack(bound, id, etag)).status).toBe(204);
  });
});

describe("a late ack and the next reservation at once", () => {
  it("exactly one of them gets the post", async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    let acked = 0;
    for (let round = 0; round < 30; round++) {
      await emptyQueue();
      const { id, etag } = await timedOut(key);
      const [late, reserved] = await Promise.all([ack(key, id, etag), next(other)]);
      expect([late.status, reserved.status]).toBeOneOf([
        [204, 204],
        [412, 200],
      ]);
      const { state } = await entry(id);
      expect(state).toBe(late.status === 204 ? "delivered" : "reserved");
      if (late.status === 204) acked += 1;
    }
    expect(acked).toBeLessThanOrEqual(30);
  });

  it("two late acks deliver it once", async () => {
    const key = await makeKey();
    const { id, etag } = await timedOut(key);
    const answers = await Promise.all([ack(key, id, etag), ack(key, id, etag)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect((await events(id)).filter(({ action }) => action === "ack")).toHaveLength(1);
  });
});

describe("an ack after a rejection and its undo", () => {
  it.each(["batch", "decision"] as const)(
    "counts (%s), because the post is offered to nobody else",
    async (kind) => {
      const key = await makeKey();
      const { id, etag } = await timedOut(key);
      const before = await entry(id);
      const action = randomUUID();
      const send = (handler: typeof decide, body: object) =>
        call<{ batch_id: string }>(handler, { method: "POST", path: "/api/v1/x", key, body });
      const { json } =
        kind === "batch"
          ? await send(runBatch, { post_ids: [id], decision: "reject" })
          : await send(decide, { decisions: [{ id: action, post_id: id, decision: "reject" }] });
      expect((await ack(key, id, etag)).status).toBe(409);
      const params = { id: json.batch_id ?? action };
      await call(undoAction, { method: "POST", path: "/api/v1/x", key, params });
      expect(await entry(id)).toEqual(before);
      expect((await ack(key, id, etag)).status).toBe(204);
      expect(await entry(id)).toMatchObject({ state: "delivered" });
    },
  );
});
