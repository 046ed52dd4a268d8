import { beforeEach, describe, expect, it } from "vitest";
import { POST as rotate } from "#app/api/v1/api-keys/[id]/rotate/route.ts";
import { GET as getMine } from "#app/api/v1/curated/mine/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { db } from "#lib/db.ts";
import { applySourceCheck } from "#lib/ingest/apply-source-check.ts";
import { holdBits } from "#lib/queue/holds.ts";
import type { HeldReservations } from "#lib/queue/schema.ts";
import { makeKey, makeMember, makePending } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, entry, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

const path = "/api/v1/curated/mine";
const mine = async (key: string) => (await call<HeldReservations>(getMine, { path, key })).json.reservations;
const idsOf = async (key: string) => (await mine(key)).map((each) => each.fenliu_post_id);
const consumer = (options: Parameters<typeof makeKey>[0] = {}) =>
  makeKey({ scopes: ["consume"], ...options });

describe("the reservations of a key", () => {
  it("have the post as it was handed out, and the lease with which it is settled", async () => {
    const key = await consumer();
    const { id } = await makePending();
    const { json, headers } = await next(key);
    const { is_topical: _chosen, ...item } = json;
    const reservation_id = headers.get("x-reservation-id");
    const reserved_until = headers.get("x-reservation-expires-at");
    const reserved_at = (await entry(id)).reserved_at?.toISOString();
    const expected = { ...item, reservation_id, reserved_at, reserved_until };
    expect(await mine(key)).toEqual([{ ...expected, delivery_count: 1, held_by: null }]);
    const answer = await settle("ack", key, id, undefined, { "if-match": `"${reservation_id}"` });
    expect(answer.status).toBe(204);
    expect(await mine(key)).toEqual([]);
  });

  it("are listed without a change, also when nothing is reserved", async () => {
    const key = await consumer();
    const { id } = await makePending();
    const before = await entry(id);
    expect(await mine(key)).toEqual([]);
    expect(await entry(id)).toEqual(before);
  });

  it("leave out those of other keys and members, also of other keys of the member", async () => {
    const member = await makeMember("reviewer");
    const [own, second] = [
      await consumer({ created_by: member.id }),
      await consumer({ created_by: member.id }),
    ];
    const [first, other] = [await makePending({}, new Date(1)), await makePending({}, new Date(2))];
    await next(own);
    await next(second);
    expect([await idsOf(own), await idsOf(second)]).toEqual([[first.id], [other.id]]);
    const headers = await sessionHeaders(member);
    expect((await call<HeldReservations>(getMine, { path, headers })).json).toEqual({ reservations: [] });
  });

  it("include an overdue one until the next reserve takes it, and it can be extended before", async () => {
    const [key, other] = [await consumer(), await consumer()];
    const { id } = await makePending();
    await next(key);
    await ageReservation(id, 1000);
    const [overdue] = await mine(key);
    expect(Date.parse(overdue?.reserved_until ?? "")).toBeLessThan(Date.now());
    expect((await settle("extend", key, id)).status).toBe(204);
    await ageReservation(id, 1000);
    expect((await next(other)).json.fenliu_post_id).toBe(id);
    expect([await idsOf(key), await idsOf(other)]).toEqual([[], [id]]);
  });

  it("are complete after calls that were answered together", async () => {
    const keys = [await consumer(), await consumer()] as const;
    for (let i = 0; i < 12; i++) await makePending({}, new Date(i));
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const key = keys[i % 2] as string;
        const { json, headers } = await next(key);
        return { key, id: json.fenliu_post_id, lease: headers.get("x-reservation-id") };
      }),
    );
    for (const key of keys) {
      const expected = answers.filter((each) => each.key === key).map(({ id, lease }) => `${id} ${lease}`);
      const listed = (await mine(key)).map((each) => `${each.fenliu_post_id} ${each.reservation_id}`);
      expect(listed.sort()).toEqual(expected.sort());
    }
  });

  it("are no use of a pool: nothing is looked ahead for", async () => {
    const key = await consumer();
    await makePending();
    await next(key);
    await db.queue_use.deleteMany();
    expect(await mine(key)).toHaveLength(1);
    expect(await db.queue_use.count()).toBe(0);
  });

  it("stay with a key whose secret is replaced, and end for the former secret", async () => {
    const { id: member } = await makeMember();
    const key = await consumer({ created_by: member });
    const { id } = await makePending();
    await next(key);
    const row = await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } });
    const admin = await makeKey({ created_by: member });
    const params = { id: String(row.id) };
    const rotated = await call<{ api_key: string }>(rotate, {
      method: "POST",
      path: `/api/v1/api-keys/${row.id}/rotate`,
      ...{ key: admin, params },
    });
    expect(await idsOf(rotated.json.api_key)).toEqual([id]);
    expect((await call(getMine, { path, key })).status).toBe(401);
  });

  it("leave out a deleted post, and keep one that is gone at home, without its text", async () => {
    const key = await consumer();
    const [deleted, gone] = [await makePending({}, new Date(1)), await makePending({}, new Date(2))];
    await next(key);
    await next(key);
    await db.post.delete({ where: { id: deleted.id } });
    await db.$transaction((tx) => applySourceCheck(tx, gone.uri, { kind: "gone" }));
    expect(await mine(key)).toMatchObject([
      { fenliu_post_id: gone.id, held_by: "unverifiable", content_snippet: "(no text)", hashtags: [] },
    ]);
  });

  it.each(["blocked_user", "opt-out reported"] as const)(
    "name the hold %s that was set since",
    async (hold) => {
      const key = await consumer();
      const { id } = await makePending();
      await next(key);
      await db.queue_entry.update({ where: { post_id: id }, data: { holds: holdBits[hold] } });
      expect(await mine(key)).toMatchObject([{ fenliu_post_id: id, held_by: hold }]);
      expect((await settle("nack", key, id)).status).toBe(204);
      expect(await mine(key)).toEqual([]);
    },
  );
});

describe("extend", () => {
  const HOUR = 3600;

  it("lengthens a reservation up to 24 hours after it began, and is refused then", async () => {
    const key = await consumer();
    const { id } = await makePending();
    await next(key);
    await ageReservation(id, 24 * HOUR - 100);
    const last = await settle("extend", key, id);
    const { reserved_at } = await entry(id);
    const limit = new Date((reserved_at as Date).getTime() + 24 * HOUR * 1000).toISOString();
    expect([last.status, last.headers.get("x-reservation-expires-at")]).toEqual([204, limit]);
    const before = await entry(id);
    const refused = await settle("extend", key, id);
    expect([refused.status, refused.json]).toMatchObject([409, { code: "extend_limit", state: "reserved" }]);
    expect(await entry(id)).toEqual(before);
    // The reservation itself is as good as before.
    expect((await settle("ack", key, id)).status).toBe(204);
  });

  it("starts anew with the next reservation", async () => {
    const key = await consumer();
    const { id } = await makePending();
    await next(key);
    await ageReservation(id, 25 * HOUR);
    expect((await next(key)).json.fenliu_post_id).toBe(id);
    expect((await settle("extend", key, id)).status).toBe(204);
  });

  it("tells nobody but the holder about the limit", async () => {
    const [key, other] = [await consumer(), await consumer()];
    const { id } = await makePending();
    await next(key);
    await ageReservation(id, 24 * HOUR);
    await db.$executeRaw`UPDATE queue_entry SET lease_expires_at = reserved_at + interval '24 hours' WHERE post_id = ${id}`;
    expect((await settle("extend", key, id)).json).toMatchObject({ code: "extend_limit" });
    expect((await settle("extend", other, id)).json).toMatchObject({ code: "wrong_state", state: "pending" });
  });
});
