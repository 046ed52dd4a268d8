import { beforeEach, describe, expect, it } from "vitest";
import { GET as getKey } from "#app/api/v1/api-keys/[id]/route.ts";
import { GET as getSelf } from "#app/api/v1/api-keys/self/route.ts";
import { POST as rotate } from "#app/api/v1/api-keys/[id]/rotate/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { db } from "#lib/db.ts";
import type { GeneratedKey, KeyFigures, OwnKey } from "#lib/keys/schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { makeKey, makeMember, makePending, makeStream, picture } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, entry, next, settle } from "#tests/integration/queue/moves.ts";

beforeEach(async () => {
  await emptyQueue();
});

const idOf = async (key: string) =>
  (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) }, select: { id: true } })).id;

const figuresOf = async (key: string, id: number, query = "") =>
  call<KeyFigures & { detail?: string }>(getKey, {
    path: `/api/v1/api-keys/${id}${query}`,
    params: { id: String(id) },
    key,
  });

describe("the key of a request", () => {
  const self = (options: { key?: string; headers?: Record<string, string> }) =>
    call<OwnKey>(getSelf, { path: "/api/v1/api-keys/self", ...options });

  it.each(["consume", "read", "keys"] as const)("is shown to a key with the scope %s", async (scope) => {
    const stream = await makeStream();
    const expires_at = new Date(Date.now() + 3_600_000);
    const key = await makeKey({ scopes: [scope], stream_ids: [stream.id], expires_at });
    const id = await idOf(key);
    const { name, last_used_at } = await db.api_key.findUniqueOrThrow({ where: { id } });
    expect((await self({ key })).json).toEqual({
      ...{ id, name, scopes: [scope], stream_ids: [stream.id], expires_at: expires_at.toISOString() },
      last_used_at:
        last_used_at?.toISOString() ??
        (expect.toSatisfy((at) => at === null || typeof at === "string") as string),
      limits: { reserve_seconds: 300, max_reserved_seconds: 86_400 },
    });
  });

  it("has only the scopes that its member's role still has", async () => {
    const { id } = await makeMember("viewer");
    const key = await makeKey({ created_by: id, scopes: ["read", "consume", "manage"] });
    expect((await self({ key })).json.scopes).toEqual(["read"]);
  });

  it("does not exist for a session, a revoked key and no key", async () => {
    const headers = await sessionHeaders(await makeMember());
    expect(await self({ headers })).toMatchObject({ status: 404, json: { code: "api_key_not_found" } });
    const key = await makeKey();
    await db.api_key.update({ where: { id: await idOf(key) }, data: { revoked_at: new Date() } });
    expect((await self({ key })).status).toBe(401);
    expect((await self({})).status).toBe(401);
  });
});

describe("the figures of a key", () => {
  it("count how its reservations ended, by day, with shares, and nothing of other keys", async () => {
    const [bot, other, admin] = [await makeKey({ scopes: ["consume"] }), await makeKey(), await makeKey()];
    const id = await idOf(bot);
    const empty = (await figuresOf(admin, id)).json;
    expect(empty.totals).toEqual({
      ...{ reservations: 0, delivered: 0, nacks: 0, errors: 0, timeouts: 0 },
      ...{ error_share: null, nack_share: null, timeout_share: null },
    });
    expect(empty.days).toHaveLength(30);
    for (const verb of ["ack", "ack", "nack", "error", "ack"] as const) {
      const post = await makePending();
      await next(bot);
      await settle(verb, bot, post.id);
      if (verb === "nack") await db.queue_entry.delete({ where: { post_id: post.id } });
    }
    const late = await makePending();
    await next(bot);
    await ageReservation(late.id, 1000);
    await db.$executeRaw`SELECT queue_sweep()`;
    await next(other);
    await settle("ack", other, late.id);
    await db.$executeRaw`UPDATE figure_delta SET at = at - interval '3 days'
      WHERE id = (SELECT min(id) FROM figure_delta WHERE api_key_id = ${id} AND event = 'delivered')`;
    const { json } = await figuresOf(admin, id);
    expect(json.totals).toEqual({
      ...{ reservations: 6, delivered: 3, nacks: 1, errors: 1, timeouts: 1 },
      ...{ error_share: 16.67, nack_share: 16.67, timeout_share: 16.67 },
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(json.days.at(-1)).toEqual({ date: today, delivered: 2, nacks: 1, errors: 1, timeouts: 1 });
    expect(json.days.at(-4)?.delivered).toBe(1);
    expect((await figuresOf(admin, id, "?days=2")).json.totals.delivered).toBe(2);
    expect((await figuresOf(admin, id, "?days=93")).status).toBe(422);
  });

  it("equal the statistics and the history, for every holder", async () => {
    const [admin, owner] = [await makeKey(), await makeMember("reviewer")];
    const make = () => makeKey({ created_by: owner.id, scopes: ["consume"] });
    const [bot, revoked, replacement] = [await make(), await make(), await make()];
    const manager = await makeKey({ scopes: ["read", "consume", "manage"] });
    const posts: number[] = [];
    const reserve = async (holder: string) => {
      const { id } = await makePending();
      posts.push(id);
      await next(holder);
      return id;
    };
    for (const verb of ["ack", "ack", "error", "nack"] as const) {
      const id = await reserve(bot);
      await settle(verb, bot, id);
      if (verb === "nack") await db.queue_entry.delete({ where: { post_id: id } });
    }
    for (const verb of ["ack", "error"] as const) await settle(verb, manager, await reserve(bot));
    const held = [await reserve(revoked), await reserve(revoked), await reserve(revoked)];
    await settle("ack", revoked, held[0] ?? 0);
    await db.api_key.update({ where: { id: await idOf(revoked) }, data: { revoked_at: new Date() } });
    for (const id of held.slice(1)) await settle("ack", replacement, id);
    const late = await reserve(bot);
    const lease = (await entry(late)).lease_id;
    await ageReservation(late, 1000);
    await db.$executeRaw`SELECT queue_sweep()`;
    await settle("ack", bot, late, undefined, { "if-match": `"${lease}"` });
    const member = await sessionHeaders(owner);
    await settle("ack", undefined, await reserve(bot), undefined, member);
    const failed = await db.queue_entry.findFirstOrThrow({ where: { state: "error" } });
    expect((await settle("mark-delivered", admin, failed.post_id)).status).toBe(204);
    await db.$executeRaw`SELECT delete_posts(ARRAY[${posts[0]}::int], 'cleanup')`;

    const { bots } = (await call<Overview>(getOverview, { path: "/api/v1/stats/overview", key: admin })).json;
    const today = new Date().toISOString().slice(0, 10);
    const expected = new Map<string, object>([
      [bot, { delivered: 3, errors: 1 }],
      [manager, { delivered: 1, errors: 1 }],
      [revoked, { delivered: 1, errors: 0 }],
      [replacement, { delivered: 2, errors: 0 }],
    ]);
    for (const [key, counts] of expected) {
      const id = await idOf(key);
      const where = { api_key_id: id, action: { in: ["ack", "error"] } };
      const events = await db.post_event.findMany({ where });
      const delivered = events.filter(({ action }) => action === "ack").length;
      expect({ delivered, errors: events.length - delivered }).toEqual(counts);
      const bot = bots.find(({ api_key_id }) => api_key_id === id);
      expect(bot).toMatchObject(counts);
      expect(bot?.days).toEqual([{ date: today, ...counts }]);
      // The page of a revoked key does not exist.
      if (key === revoked) continue;
      const { days } = (await figuresOf(admin, id, "?days=7")).json;
      expect(days.at(-1)).toMatchObject({ date: today, ...counts });
      expect(days.slice(0, -1).every((day) => day.delivered + day.errors === 0)).toBe(true);
    }
  });

  it("name the posts that it holds, and those of its streams that it gets next", async () => {
    const [mine, theirs] = [await makeStream(), await makeStream()];
    const bot = await makeKey({ scopes: ["consume"], stream_ids: [mine.id] });
    const admin = await makeKey();
    const posts = [];
    for (let n = 0; n < 3; n++) {
      const data = { stream_id: mine.id, media: n === 2 ? [picture()] : [], sensitive: n === 2 };
      posts.push((await makePending(data, new Date(n * 1000))).id);
    }
    await makePending({ stream_id: theirs.id }, new Date(1));
    await next(bot);
    const { json } = await figuresOf(admin, await idOf(bot));
    expect(json.holds.map((post) => post.post_id)).toEqual([posts[0]]);
    expect(json.next.map((post) => post.post_id)).toEqual(posts.slice(1));
    const shown = json.next.map((post) => [post.media_attachments.length, post.media_covered]);
    expect(shown).toEqual([
      [0, false],
      [1, true],
    ]);
    const reader = await makeKey({ scopes: ["read"] });
    expect((await figuresOf(admin, await idOf(reader))).json.next).toEqual([]);
  });

  it("are shown to the key's member and to admins only", async () => {
    const [owner, other] = [await makeMember("reviewer"), await makeMember("reviewer")];
    const key = await makeKey({ created_by: owner.id });
    const id = await idOf(key);
    const foreign = await makeKey({ created_by: other.id, scopes: ["read"] });
    expect((await figuresOf(key, id)).json.is_own).toBe(true);
    expect((await figuresOf(await makeKey(), id)).json).toMatchObject({ key: { id }, is_own: false });
    expect((await figuresOf(foreign, id)).json).toMatchObject({ code: "api_key_not_found" });
  });
});

describe("rotating a key", () => {
  const rotated = (caller: { key?: string; headers?: Record<string, string> }, id: number) =>
    call<GeneratedKey & { code?: string }>(rotate, {
      method: "POST",
      path: `/api/v1/api-keys/${id}/rotate`,
      params: { id: String(id) },
      ...caller,
    });

  it("replaces the secret at once and keeps id, rights and reservations", async () => {
    const member = await makeMember("reviewer");
    const old = await makeKey({ created_by: member.id, scopes: ["consume"] });
    const id = await idOf(old);
    const post = await makePending();
    await next(old);
    const answer = await rotated({ headers: await sessionHeaders(member) }, id);
    expect(answer).toMatchObject({ status: 200, json: { id, scopes: ["consume"] } });
    expect(answer.json.api_key.slice(-4)).toBe(answer.json.last_characters);
    expect((await next(old)).status).toBe(401);
    expect((await settle("ack", old, post.id)).status).toBe(401);
    expect((await settle("ack", answer.json.api_key, post.id)).status).toBe(204);
    const line = await db.audit_event.findFirstOrThrow({ where: { action: "key.rotate" } });
    expect(
      JSON.stringify(line, (_name, value: unknown) => (typeof value === "bigint" ? "" : value)),
    ).not.toContain(answer.json.api_key);
  });

  it("two clicks at once leave one valid secret", async () => {
    const member = await makeMember("reviewer");
    const id = await idOf(await makeKey({ created_by: member.id, scopes: ["consume"] }));
    const headers = await sessionHeaders(member);
    const answers = await Promise.all([rotated({ headers }, id), rotated({ headers }, id)]);
    const statuses = await Promise.all(answers.map(async ({ json }) => (await next(json.api_key)).status));
    expect(statuses.sort()).toEqual([204, 401]);
  });

  it("is refused for a revoked key", async () => {
    const owner = await makeMember("reviewer");
    const id = await idOf(await makeKey({ created_by: owner.id }));
    await db.api_key.update({ where: { id }, data: { revoked_at: new Date() } });
    expect((await rotated({ headers: await sessionHeaders(owner) }, id)).status).toBe(404);
  });

  it("gives a key no stronger key than itself", async () => {
    const member = await makeMember("admin");
    const stream = await makeStream();
    const make = (options: Parameters<typeof makeKey>[0]) => makeKey({ created_by: member.id, ...options });
    const strong = await idOf(await make({ scopes: ["read", "manage", "keys"] }));
    const weak = await idOf(await make({ scopes: ["read"], stream_ids: [stream.id] }));
    const caller = await make({ scopes: ["read", "keys"] });
    expect(await rotated({ key: caller }, strong)).toMatchObject({
      status: 403,
      json: { code: "scope_missing" },
    });
    expect((await rotated({ key: caller }, weak)).status).toBe(200);
    const brief = await make({ scopes: ["read", "keys"], expires_at: new Date(Date.now() + 60_000) });
    expect((await rotated({ key: brief }, await idOf(await make({ scopes: ["read"] })))).status).toBe(422);
  });
});
