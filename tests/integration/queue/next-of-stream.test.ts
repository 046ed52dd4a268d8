import { beforeEach, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { markConfirmed } from "#lib/collect/ingest-known.ts";
import { holdBits } from "#lib/queue/holds.ts";
import type { ReserveOptions } from "#lib/queue/pool.ts";
import { makeKey, makePending, makeStream } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";
import { emptyQueue, next, settle } from "./moves.ts";

const key = await makeKey();
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second));
let quiet: number;
let busy: number;

beforeEach(async () => {
  await emptyQueue();
  [quiet, busy] = [(await makeStream()).id, (await makeStream()).id];
});

async function pending(stream_id: number, count: number, hashtags: string[] = []) {
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push((await makePending({ stream_id, hashtags }, at(n))).id);
  return ids;
}

async function ruleForToday(hashtag: string) {
  const day_of_week = new Date().getUTCDay();
  await db.topical_tag.create({ data: { hashtag, hashtag_folded: hashtag, day_of_week } });
}

/** A way to choose that is forgotten here does not compile. */
const ways: Record<Exclude<keyof ReserveOptions, "stream_id">, string> = {
  random: "&random=1",
  include_topical: "&include_topical=1",
  topical_only: "&include_topical=1&topical_only=1",
};
const inOrder = ["", ways.include_topical, ways.topical_only, "&nonsense=1"];
const choices = [...new Set([...inOrder, ...Object.values(ways), "&include_topical=1&random=1"])];

describe("GET /curated/next?stream_id=", () => {
  it.each(choices)("hands out only posts of the stream, then 204: %s", async (choice) => {
    await ruleForToday("owls");
    await pending(busy, 3, ["owls"]);
    await makePending({ hashtags: ["owls"] }, at(0));
    const ids = await pending(quiet, 3, ["owls"]);
    const given = [];
    for (const _ of ids) given.push((await next(key, `stream_id=${quiet}${choice}`)).json.fenliu_post_id);
    expect(inOrder.includes(choice) ? given : given.toSorted((a, b) => a - b)).toEqual(ids);
    expect((await next(key, `stream_id=${quiet}${choice}`)).status).toBe(204);
    expect((await next(key)).status).toBe(200);
  });

  it("prefers topical posts of the stream, and with topical_only takes no others", async () => {
    await ruleForToday("owls");
    await pending(busy, 1, ["owls"]);
    const [plain] = await pending(quiet, 1);
    const only = `stream_id=${quiet}&include_topical=1&topical_only=1`;
    expect((await next(key, only)).status).toBe(204);
    const owl = (await makePending({ stream_id: quiet, hashtags: ["owls"] }, at(9))).id;
    expect((await next(key, only)).json).toMatchObject({ fenliu_post_id: owl, is_topical: true });
    const either = await next(key, `stream_id=${quiet}&include_topical=1`);
    expect(either.json).toMatchObject({ fenliu_post_id: plain, is_topical: false });
  });

  it("says when a post of this stream returns that is kept back", async () => {
    const [other] = await pending(busy, 1);
    const [own] = await pending(quiet, 1);
    const keepBack = (id: number | undefined, seconds: number) =>
      db.$executeRaw`UPDATE queue_entry SET not_before = now() + ${seconds}::int * interval '1 second' WHERE post_id = ${id}`;
    await keepBack(other, 5);
    await keepBack(own, 12);
    expect((await next(key, `stream_id=${quiet}`)).headers.get("retry-after")).toBe("12");
  });

  it("finds the free post behind many locked ones", async () => {
    const ids = await pending(quiet, 12);
    const free = ids.at(-1);
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id <> ${free} FOR UPDATE`;
      expect((await next(key, `stream_id=${quiet}`)).json.fenliu_post_id).toBe(free);
    });
  });
});

describe("a stream_id that names no stream of the caller", () => {
  it("is 404 for an unknown and for a deleted stream, whose posts others still get", async () => {
    const [id] = await pending(quiet, 1);
    await db.stream.delete({ where: { id: quiet } });
    for (const stream of [quiet, 2_147_483_647]) {
      const { status, json } = await next(key, `stream_id=${stream}`);
      expect([status, json]).toMatchObject([404, { detail: `Stream ${stream} not found` }]);
    }
    expect((await next(key)).json.fenliu_post_id).toBe(id);
  });

  it.each(["", "0", "abc", "99999999999"])("is 422 for %j", async (stream) => {
    expect((await next(key, `stream_id=${stream}`)).status).toBe(422);
  });

  it("is judged after the key", async () => {
    const reader = await makeKey({ scopes: ["read"] });
    for (const stream of ["abc", "2147483647"]) {
      expect((await next("slc_nobody", `stream_id=${stream}`)).status).toBe(401);
      expect((await next(reader, `stream_id=${stream}`)).status).toBe(403);
    }
  });

  it("together with the streams of a key chooses from both", async () => {
    const [own] = await pending(quiet, 1);
    await pending(busy, 1);
    const narrow = await makeKey({ stream_ids: [quiet] });
    expect((await next(narrow, `stream_id=${busy}`)).status).toBe(204);
    expect((await next(narrow, `stream_id=${quiet}`)).json.fenliu_post_id).toBe(own);
    const both = await makeKey({ stream_ids: [quiet, busy] });
    expect((await next(both, `stream_id=${quiet}`)).status).toBe(204);
    expect((await next(both)).status).toBe(200);
  });
});

describe("the streams of a key", () => {
  it("limit no other operation", async () => {
    const narrow = await makeKey({ stream_ids: [quiet] });
    const [id = 0] = await pending(busy, 1);
    expect((await next(narrow)).status).toBe(204);
    expect((await next(key)).json.fenliu_post_id).toBe(id);
    expect((await settle("error", narrow, id)).status).toBe(204);
    expect((await settle("requeue", narrow, id)).status).toBe(204);
    const send = sender({ key: narrow });
    expect((await send(`PATCH posts/${id}`, { approved: false })).status).toBe(200);
    for (const operation of ["POST curated/cleanup", "GET audit"])
      expect((await send(operation)).status).toBe(200);
  });
});

describe("concurrent calls with several stream_ids and keys", () => {
  it.each(choices)("get posts of their own streams, each once: %s", async (choice) => {
    await ruleForToday("owls");
    const posts = { quiet: await pending(quiet, 8, ["owls"]), busy: await pending(busy, 16, ["owls"]) };
    const bound = await makeKey({ stream_ids: [busy] });
    const asks = Array.from({ length: 24 }, (_, n) =>
      n % 3 === 0 ? ([key, quiet] as const) : n % 3 === 1 ? ([key, busy] as const) : ([bound, null] as const),
    );
    const answers = await Promise.all([
      ...asks.map(([who, stream]) => next(who, `${stream === null ? "" : `stream_id=${stream}`}${choice}`)),
      next(bound, `stream_id=${quiet}${choice}`),
      next("slc_nobody", `stream_id=${quiet}${choice}`),
      next(key, `stream_id=2147483647${choice}`),
    ]);
    expect(answers.slice(24).map(({ status }) => status)).toEqual([204, 401, 404]);
    const given = answers.slice(0, 24).map(({ json }) => json.fenliu_post_id);
    expect(new Set(given).size).toBe(24);
    for (const [n, [, stream]] of asks.entries())
      expect(stream === quiet ? posts.quiet : posts.busy).toContain(given[n]);
    expect((await settle("ack", key, given[0] as number)).status).toBe(204);
  });
});

describe("the look-ahead", () => {
  it.each(Object.values(ways))("confirms posts of a stream that a bot asks for: %s", async (choice) => {
    await db.stream.updateMany({ data: { asked_at: null } });
    await ruleForToday("owls");
    await pending(busy, 120, ["owls"]);
    const [id] = await pending(quiet, 1, ["owls"]);
    await db.$executeRaw`UPDATE queue_entry SET holds = ${holdBits.unconfirmed}::smallint, confirmed_at = 'epoch'`;
    await db.$executeRaw`UPDATE queue_entry SET approved_at = now() WHERE post_id = ${id}`;
    await db.source_check.deleteMany();
    const query = `stream_id=${quiet}${choice}`;
    expect((await next(key, query)).status).toBe(204);
    await expect.poll(() => db.stream.count({ where: { id: quiet, asked_at: { not: null } } })).toBe(1);
    await planSourceChecks({ deadline: new Date(Date.now() + 20_000) });
    expect(await db.source_check.count({ where: { post_id: id ?? 0 } })).toBe(1);
    await db.$transaction((tx) => markConfirmed(tx, [id ?? 0]));
    expect((await next(key, query)).json.fenliu_post_id).toBe(id);
  });
});
