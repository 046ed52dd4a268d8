import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db } from "#lib/base/db.ts";
import { settleRow, settleRows } from "#lib/queue/sql.ts";
import { switches } from "#lib/queue/switches.ts";
import { makeKey, makePending, makeStream, picture } from "#tests/setup/factories.ts";
import { emptyQueue, entry, next, settle } from "./moves.ts";

const key = await makeKey();
beforeEach(emptyQueue);
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 12, 0, second));

async function pending(count: number, data: Parameters<typeof makePending>[0] = {}) {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await makePending(data, at(i))).id);
  return ids;
}

async function transactions(): Promise<number> {
  const [row] = await db.$queryRaw<
    { n: number }[]
  >`SELECT count(DISTINCT xmin::text)::int AS n FROM queue_entry`;
  return (row as { n: number }).n;
}

describe("batched GET /curated/next", () => {
  it("hands out each post once, in queue order and in few transactions", async () => {
    const ids = await pending(24);
    const answers = await Promise.all(ids.map(() => next(key)));
    const given = answers.map((answer) => answer.json.fenliu_post_id);
    expect([...given].sort((a, b) => a - b)).toEqual(ids);
    // The first two ran alone; the batch gets the oldest remaining posts in order of arrival.
    expect(given.slice(2)).toEqual(given.slice(2).sort((a, b) => a - b));
    expect(await transactions()).toBeLessThan(6);
    const leases = answers.map((answer) => answer.headers.get("x-reservation-id"));
    expect(new Set(leases).size).toBe(24);
    for (const [i, id] of given.entries()) {
      const row = await entry(id);
      expect(row).toMatchObject({ state: "reserved", lease_id: leases[i], deliveries: 1 });
      expect((row.lease_expires_at as Date).getTime() - (row.reserved_at as Date).getTime()).toBe(300_000);
      expect(answers[i]?.headers.get("x-reservation-expires-at")).toBe(row.lease_expires_at?.toISOString());
    }
    expect(await db.post_event.count({ where: { post_id: { in: ids }, action: "reserve" } })).toBe(24);
  });

  it("checks each key on its own", async () => {
    const stream = await makeStream();
    const ids = await pending(8);
    const own = [50, 51].map((second) => makePending({ stream_id: stream.id }, at(second)));
    const ownIds = (await Promise.all(own)).map((post) => post.id);
    const bound = await makeKey({ stream_ids: [stream.id] });
    const reader = await makeKey({ scopes: ["read"] });
    const second = await makeKey();
    const asks = [key, key, key, bound, "slc_nobody", reader, second, key, bound, "slc_nobody", reader];
    const answers = await Promise.all(asks.map((each) => next(each)));
    expect(answers.map((answer) => answer.status)).toEqual([
      200, 200, 200, 200, 401, 403, 200, 200, 200, 401, 403,
    ]);
    const given = answers.map((answer) => answer.json.fenliu_post_id);
    expect([given[3], given[8]].sort()).toEqual(ownIds.sort());
    expect([0, 1, 2, 6, 7].map((i) => given[i]).sort((a, b) => Number(a) - Number(b))).toEqual(
      ids.slice(0, 5),
    );
    const holder = await db.api_key.findFirstOrThrow({ where: { key_hash: hashKey(second) } });
    expect(await entry(given[6] as number)).toMatchObject({
      lease_key_id: holder.id,
      lease_label: holder.name,
    });
  });

  it("obeys switches, also with fewer eligible posts than callers", async () => {
    await pending(10);
    const fitting = await pending(12, { media: [picture()] });
    await switches.set({ require_media: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => next(key)));
    const given = answers.flatMap((answer) => (answer.status === 200 ? [answer.json.fenliu_post_id] : []));
    expect(given.sort((a, b) => a - b)).toEqual(fitting);
    expect(answers.filter((answer) => answer.status === 204)).toHaveLength(8);
  });

  it("returns expired reservations to the queue first", async () => {
    const ids = await pending(6);
    await Promise.all(ids.map(() => next(key)));
    await db.$executeRaw`UPDATE queue_entry SET lease_expires_at = now() - interval '1 second'`;
    const given: number[] = [];
    // A concurrent sweep can cause a 204.
    while (given.length < 6) {
      const answers = await Promise.all(ids.slice(given.length).map(() => next(key)));
      const found = answers.filter((answer) => answer.status === 200);
      expect(found.length).toBeGreaterThan(0);
      expect(found.map((answer) => answer.headers.get("x-delivery-count"))).toEqual(found.map(() => "2"));
      given.push(...found.map((answer) => answer.json.fenliu_post_id));
    }
    expect(given.sort((a, b) => a - b)).toEqual(ids);
  });
});

describe("batched random and topical calls", () => {
  const given = (answers: Awaited<ReturnType<typeof next>>[]) =>
    answers.flatMap((answer) => (answer.status === 200 ? [answer.json.fenliu_post_id] : []));
  const ruleForToday = async (hashtag: string) => {
    const [row] = await db.$queryRaw<
      { dow: number }[]
    >`SELECT extract(dow FROM now() AT TIME ZONE 'UTC')::int AS dow`;
    await db.topical_tag.create({ data: { hashtag, hashtag_folded: hashtag, day_of_week: row?.dow ?? 0 } });
  };
  const byNumber = (a: number, b: number) => a - b;

  it.each(["random=1", "include_topical=1", "include_topical=1&random=1"])(
    "get a post each, every one once, in few transactions: %s",
    async (query) => {
      await ruleForToday("owls");
      const ids = await pending(24, { hashtags: ["owls"] });
      const answers = await Promise.all(ids.map(() => next(key, query)));
      expect(given(answers).sort(byNumber)).toEqual(ids);
      expect(await transactions()).toBeLessThan(6);
      const holder = await db.api_key.findFirstOrThrow({ where: { key_hash: hashKey(key) } });
      for (const answer of answers) {
        const row = await entry(answer.json.fenliu_post_id);
        expect(row).toMatchObject({
          state: "reserved",
          lease_id: answer.headers.get("x-reservation-id"),
          lease_key_id: holder.id,
          deliveries: 1,
        });
        expect(answer.json.is_topical).toBe(query !== "random=1");
      }
      const together = given(answers).slice(2);
      const where = { post_id: { in: together }, action: "reserve" };
      const events = await db.post_event.findMany({ where, orderBy: { id: "asc" } });
      expect(events.map((event) => event.post_id)).toEqual(together);
    },
  );

  it.each([false, true])(
    "take topical posts first, and others, or none, when these have run out: switch %s",
    async (require_media) => {
      await switches.set({ require_media });
      await ruleForToday("owls");
      const topical = await pending(6, { hashtags: ["owls"], media: [picture()] });
      const others = await pending(20, { media: [picture()] });
      const answers = await Promise.all(Array.from({ length: 16 }, () => next(key, "include_topical=1")));
      expect(given(answers.filter((answer) => answer.json.is_topical)).sort(byNumber)).toEqual(topical);
      expect(given(answers.filter((answer) => !answer.json.is_topical)).sort(byNumber)).toEqual(
        others.slice(0, 10),
      );
      expect(
        await db.post_event.count({ where: { action: "reserve", post_id: { in: given(answers) } } }),
      ).toBe(16);
      const only = await Promise.all(
        Array.from({ length: 12 }, () => next(key, "include_topical=1&topical_only=1")),
      );
      expect(only.map((answer) => answer.status)).toEqual(only.map(() => 204));
      const rest = await Promise.all(
        Array.from({ length: 14 }, () => next(key, "include_topical=1&random=1")),
      );
      expect(given(rest).sort(byNumber)).toEqual(others.slice(10));
      expect(rest.filter((answer) => answer.status === 204)).toHaveLength(4);
    },
  );

  it.each(["random=1", "include_topical=1", "include_topical=1&random=1"])(
    "are each answered by their own key, under a switch and a hold: %s",
    async (query) => {
      await ruleForToday("owls");
      const stream = await makeStream();
      await pending(9, { hashtags: ["owls"] });
      const fitting = { hashtags: ["owls"], media: [picture()] };
      const ids = await pending(6, fitting);
      const [held] = await pending(1, fitting);
      await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${held}`;
      const ownIds = await pending(2, { ...fitting, stream_id: stream.id });
      await switches.set({ require_media: true });
      const bound = await makeKey({ stream_ids: [stream.id] });
      const reader = await makeKey({ scopes: ["read"] });
      const asks = [bound, key, key, key, "slc_nobody", reader, key, bound, key, key, key, key];
      const answers = await Promise.all(asks.map((each) => next(each, query)));
      expect([answers[4]?.status, answers[5]?.status]).toEqual([401, 403]);
      const all = given(answers);
      expect(new Set(all).size).toBe(all.length);
      expect(all.every((id) => [...ids, ...ownIds].includes(id))).toBe(true);
      // The first call finds both posts of its stream.
      const own = given(answers.filter((_, i) => asks[i] === bound));
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((id) => !ownIds.includes(id))).toEqual([]);
      expect(given(answers.filter((_, i) => asks[i] === key)).length).toBeGreaterThanOrEqual(6);
      expect((await next(key, query)).status).toBe(204);
    },
  );

  it.each(["random=1", "include_topical=1", "include_topical=1&random=1"])(
    "do not wait for posts that somebody else holds: %s",
    async (query) => {
      await ruleForToday("owls");
      const ids = await pending(20, { hashtags: ["owls"] });
      const locked = ids.slice(0, 8);
      await db.$transaction(async (tx) => {
        await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id = ANY (${locked}::int[]) FOR UPDATE`;
        const answers = await Promise.all(ids.map(() => next(key, query)));
        expect(given(answers).sort(byNumber)).toEqual(ids.slice(8));
        expect(answers.filter((answer) => answer.status === 204)).toHaveLength(8);
      });
      const late = await Promise.all(locked.map(() => next(key, query)));
      expect(given(late).sort(byNumber)).toEqual(locked);
    },
  );
});

describe("batched acks and nacks", () => {
  async function reserved(count: number) {
    const ids = await pending(count);
    const leases = new Map<number, string>();
    for (let i = 0; i < count; i++) {
      const answer = await next(key);
      leases.set(answer.json.fenliu_post_id, answer.headers.get("x-reservation-id") as string);
    }
    return { ids, lease: (id: number) => leases.get(id) as string };
  }

  it("deliver each post once, in few transactions", async () => {
    const { ids } = await reserved(24);
    const answers = await Promise.all(ids.map((id) => settle("ack", key, id)));
    expect(answers.map((answer) => answer.status)).toEqual(ids.map(() => 204));
    expect(await db.queue_entry.count({ where: { state: "delivered", lease_id: null } })).toBe(24);
    expect(await transactions()).toBeLessThan(6);
    expect(await db.post_event.count({ where: { post_id: { in: ids }, action: "ack" } })).toBe(24);
  });

  it("of the same post: one succeeds, the others get 409", async () => {
    const { ids } = await reserved(4);
    const asked = ids.flatMap((id) => [id, id, id, id]);
    const answers = await Promise.all(asked.map((id) => settle("ack", key, id)));
    for (const id of ids) {
      const those = answers.filter((_, i) => asked[i] === id);
      expect(those.filter((answer) => answer.status === 204)).toHaveLength(1);
      const lost = those.filter((answer) => answer.status === 409);
      expect(lost).toHaveLength(3);
      expect(lost[0]?.json).toMatchObject({ detail: "Post is in state 'delivered', expected 'reserved'" });
    }
    expect(await db.post_event.count({ where: { post_id: { in: ids }, action: "ack" } })).toBe(4);
  });

  it("are refused individually", async () => {
    const { ids, lease } = await reserved(6);
    const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
    const reader = await makeKey({ scopes: ["read"] });
    const waiting = (await makePending({}, at(59))).id;
    const quoted = (value: string) => ({ "if-match": `"${value}"` });
    const answers = await Promise.all([
      settle("nack", key, a),
      settle("nack", key, b),
      settle("nack", key, c, undefined, quoted(lease(c))),
      settle("nack", key, d, undefined, quoted(randomUUID())),
      settle("nack", "slc_nobody", e),
      settle("nack", reader, e),
      settle("nack", key, waiting),
      settle("nack", key, 999_999_999),
      settle("nack", key, "seven"),
      settle("nack", key, f),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([
      204, 204, 204, 412, 401, 403, 409, 404, 404, 204,
    ]);
    expect(answers[6]?.json.detail).toBe("Post is in state 'pending', expected 'reserved'");
    const states = await Promise.all(ids.map((id) => entry(id)));
    expect(states.map((row) => row.state)).toEqual([
      "pending",
      "pending",
      "pending",
      "reserved",
      "reserved",
      "pending",
    ]);
    expect(states.map((row) => row.nacks)).toEqual([1, 1, 1, 0, 0, 1]);
  });

  it("do not wait for a locked entry in the batch", async () => {
    const { ids } = await reserved(8);
    const [locked, ...others] = ids as [number, ...number[]];
    let answers: Promise<{ status: number }>[] = [];
    let late: Promise<{ status: number }> | undefined;
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM queue_entry WHERE post_id = ${locked} FOR UPDATE`;
      // Two run first, so that the locked one is in the batch.
      answers = others.slice(0, 2).map((id) => settle("ack", key, id));
      late = settle("ack", key, locked);
      answers.push(...others.slice(2).map((id) => settle("ack", key, id)));
      expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual(others.map(() => 204));
    });
    expect((await late)?.status).toBe(204);
  });

  it.each(["ack", "nack"] as const)(
    "%s leaves the row and the history that the single call leaves",
    async (move) => {
      const { ids } = await reserved(8);
      const caller = { key_hash: hashKey(key), member_id: null, label: null };
      // The fourth refusal in a row starts a backoff, which must be equal too.
      for (const [i, id] of ids.entries())
        await db.$executeRaw`UPDATE queue_entry SET refusals = ${Math.floor(i / 2) * 2} WHERE post_id = ${id}`;
      const [alone, together] = [ids.filter((_, i) => i % 2 === 0), ids.filter((_, i) => i % 2 === 1)];
      for (const id of alone)
        await settleRow(caller, id, move, {
          lease: null,
          reason: null,
          details: null,
          timeout_seconds: 300,
        });
      const rows = await settleRows(
        together.map((post_id) => ({ caller, post_id, lease: null })),
        move,
      );
      expect(rows.map((row) => row?.outcome)).toEqual(together.map(() => "ok"));
      const shape = async (id: number) => {
        const { post_id, approved_at, post_created_at, author_key, random_key, confirmed_at, ...row } =
          await entry(id);
        const event = await db.post_event.findFirstOrThrow({
          where: { post_id: id },
          orderBy: { id: "desc" },
        });
        const { id: _id, post_id: _post, at: written, ...said } = event;
        const since = (time: Date | null) => time && Math.round((time.getTime() - written.getTime()) / 100);
        expect([post_id, approved_at, post_created_at, author_key, random_key, confirmed_at]).not.toContain(
          null,
        );
        return {
          ...row,
          ...said,
          reserved_at: row.reserved_at !== null,
          delivered_at: since(row.delivered_at),
          not_before: since(row.not_before),
        };
      };
      for (const [i, id] of alone.entries())
        expect(await shape(together[i] as number)).toEqual(await shape(id));
    },
  );
});
