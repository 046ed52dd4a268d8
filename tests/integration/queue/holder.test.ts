import { beforeEach, describe, expect, it } from "vitest";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { GET as nextRoute } from "#app/api/v1/curated/next/route.ts";
import { db } from "#lib/db.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { makeKey, makeMember, makePending } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { emptyQueue, entry, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

const consumer = (options: Parameters<typeof makeKey>[0] = {}) =>
  makeKey({ scopes: ["consume"], ...options });

async function reservedBy(key: string) {
  const post = await makePending();
  const answer = await next(key);
  expect(answer.json.fenliu_post_id).toBe(post.id);
  return { id: post.id, lease: answer.headers.get("x-reservation-id") as string };
}

const byHash = (key: string) => ({ where: { key_hash: hashKey(key) } });
const verbs = ["ack", "nack", "error", "extend"] as const;

describe("a reservation of another key", () => {
  it.each(verbs)("is not settled by %s", async (verb) => {
    const owner = await makeMember("reviewer");
    const [holder, foreign] = [
      await consumer({ created_by: owner.id }),
      await consumer({ created_by: owner.id }),
    ];
    const { id, lease } = await reservedBy(holder);
    const before = await entry(id);
    for (const key of [
      foreign,
      await consumer(),
      await consumer({ scopes: ["read", "consume", "review"] }),
    ]) {
      const answer = await settle(verb, key, id);
      expect([answer.status, answer.json]).toMatchObject([
        409,
        { detail: "Post is in state 'pending', expected 'reserved'" },
      ]);
      const fenced = await settle(verb, key, id, undefined, { "if-match": `"${lease}"` });
      expect([fenced.status, fenced.json]).toMatchObject([
        412,
        { detail: "Reservation is no longer current" },
      ]);
    }
    expect(await entry(id)).toEqual(before);
    expect((await settle(verb, holder, id)).status).toBe(204);
  });

  it.each(verbs)("is settled with %s by a key that may manage", async (verb) => {
    const { id } = await reservedBy(await consumer());
    expect((await settle(verb, await makeKey({ scopes: ["consume", "manage"] }), id)).status).toBe(204);
  });

  it("is not settled by a key whose member lost the right to manage", async () => {
    const { id } = await reservedBy(await consumer());
    const member = await makeMember("admin");
    const key = await makeKey({ created_by: member.id, scopes: ["consume", "manage"] });
    await db.member.update({ where: { id: member.id }, data: { role: "reviewer" } });
    expect((await settle("ack", key, id)).status).toBe(409);
    expect((await entry(id)).state).toBe("reserved");
  });

  it("is settled by another key of the member once the holding key is revoked or expired", async () => {
    for (const end of [{ revoked_at: new Date() }, { expires_at: new Date(Date.now() - 1000) }]) {
      const owner = await makeMember("reviewer");
      const holder = await consumer({ created_by: owner.id });
      const rotated = await consumer({ created_by: owner.id });
      const { id, lease } = await reservedBy(holder);
      await db.api_key.update({ ...byHash(holder), data: end });
      expect((await settle("ack", await consumer(), id)).status).toBe(409);
      const answer = await settle("ack", rotated, id, undefined, { "if-match": `"${lease}"` });
      expect(answer.status).toBe(204);
      expect((await entry(id)).state).toBe("delivered");
    }
  });

  it("is not settled by a batch that holds calls of both keys", async () => {
    const [holder, foreign] = [await consumer(), await consumer()];
    const posts = [];
    for (let i = 0; i < 8; i++) posts.push(await reservedBy(holder));
    const answers = await Promise.all(
      posts.map(({ id }, i) => settle("nack", i % 2 === 0 ? holder : foreign, id)),
    );
    expect(answers.map(({ status }) => status)).toEqual(posts.map((_, i) => (i % 2 === 0 ? 204 : 409)));
    const states = await Promise.all(posts.map(async ({ id }) => (await entry(id)).state));
    expect(states).toEqual(posts.map((_, i) => (i % 2 === 0 ? "pending" : "reserved")));
  });
});

describe("a session", () => {
  const send = (headers: Record<string, string>, id: number) =>
    call(ack, {
      method: "POST",
      path: `/api/v1/curated/${id}/ack`,
      params: { post_id: String(id) },
      headers,
    });

  it("settles reservations of its member, by session or by key, and no others", async () => {
    const [ana, ben] = [await makeMember("reviewer"), await makeMember("reviewer")];
    const [hers, his] = [await sessionHeaders(ana), await sessionHeaders(ben)];
    const post = await makePending();
    const answer = await call<{ fenliu_post_id: number }>(nextRoute, {
      path: "/api/v1/curated/next",
      headers: hers,
    });
    expect(answer.json.fenliu_post_id).toBe(post.id);
    expect((await send(his, post.id)).status).toBe(409);
    expect((await settle("ack", await consumer({ created_by: ana.id }), post.id)).status).toBe(409);
    expect((await send(hers, post.id)).status).toBe(204);
    const { id } = await reservedBy(await consumer({ created_by: ana.id }));
    expect((await send(his, id)).status).toBe(409);
    expect((await send(hers, id)).status).toBe(204);
  });

  it("of an admin settles every reservation", async () => {
    const { id } = await reservedBy(await consumer());
    expect((await send(await sessionHeaders(await makeMember("admin")), id)).status).toBe(204);
  });
});
