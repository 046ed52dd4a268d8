import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PATCH as patch } from "#app/api/v1/posts/[id]/route.ts";
import { GET as stats } from "#app/api/v1/stats/route.ts";
import { createClient, db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { runDueWork } from "#lib/runtime/jobs/run-due-work.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { ageReservation, emptyQueue, entry, next, settle } from "#tests/integration/queue/moves.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { startSilentProxy, type SilentProxy } from "./silent-proxy.ts";

/*
 * A database that stops, vanishes, or is cut off after a statement. Watch times are a tenth of the real
 * ones.
 */

const holder = globalThis as { sluiceDb?: PrismaClient };
const times = { intervalMs: 100, checkAfterMs: 50, checkAgainMs: 400, probeMs: 400, patienceMs: 3_000 };
let direct: PrismaClient;
let proxied: PrismaClient;
let proxy: SilentProxy;
let key = "";

beforeAll(async () => {
  key = await makeKey();
  direct = holder.sluiceDb as PrismaClient;
  proxy = await startSilentProxy(env().DATABASE_URL ?? "");
  proxied = createClient(proxy.url, times);
  holder.sluiceDb = proxied;
});

afterEach(async () => {
  proxy.setMode("none");
  await emptyQueue();
});

afterAll(async () => {
  holder.sluiceDb = direct;
  await proxied.$disconnect();
  await proxy.close();
});

const getStats = () => call(stats, { path: "/api/v1/stats", key });
const approve = (id: number) =>
  call(patch, {
    method: "PATCH",
    path: `/api/v1/posts/${id}`,
    params: { id: String(id) },
    key,
    body: { approved: true },
  });

/** Runs twice as many statements as the pool has connections, so each is known to work. */
async function expectWholePool(): Promise<void> {
  const many = 2 * env().DATABASE_POOL_SIZE;
  const answers = await Promise.all(Array.from({ length: many }, getStats));
  expect(answers.map((answer) => answer.status)).toEqual(Array(many).fill(200));
  await Promise.all(Array.from({ length: many }, () => db.$transaction((tx) => tx.post.count())));
  // A check of the watch has a connection of its own for a moment. A leaked connection would stay.
  await expect.poll(() => proxy.open()).toBeLessThanOrEqual(env().DATABASE_POOL_SIZE);
}

describe("with a database that does not respond", () => {
  it("answers every request with 503 and Retry-After, and recovers with the whole pool free", async () => {
    await expectWholePool();
    const post = await makePost();
    proxy.setMode("all");
    const many = Array.from({ length: env().DATABASE_POOL_SIZE }, () => approve(post.id));
    const answers = await Promise.all([...many, getStats(), next(key), settle("ack", key, post.id)]);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 503));
    expect(answers.map((answer) => answer.headers.get("retry-after"))).toEqual(answers.map(() => "5"));
    expect(answers[0]?.json).toMatchObject({ detail: "The database is not reachable, try again" });
    proxy.setMode("none");
    await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200);
    expect((await approve(post.id)).status).toBe(200);
    await expectWholePool();
  });

  it("fails the round of background work, and the next round succeeds", async () => {
    proxy.setMode("all");
    const limits = () => ({ deadline: new Date(Date.now() + 20_000) });
    await expect(runDueWork(limits())).rejects.toThrow();
    proxy.setMode("none");
    await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200);
    await expect(runDueWork(limits())).resolves.toBeDefined();
  });
});

describe("with connections that stop answering", () => {
  it("discards them when new connections work, also in the middle of a transaction", async () => {
    await expectWholePool();
    proxy.setMode("open");
    const first = await Promise.all(Array.from({ length: env().DATABASE_POOL_SIZE }, getStats));
    expect(first.map((answer) => answer.status)).toContain(503);
    await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200);
    const broken = db.$transaction(
      async (tx) => {
        await tx.post.count();
        proxy.setMode("open");
        return tx.post.count();
      },
      { timeout: 20_000 },
    );
    await expect(broken).rejects.toThrow();
    await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200);
    proxy.setMode("none");
    await expectWholePool();
  });
});

describe("with an answer lost after the statement ran", () => {
  it("counts an ack once and answers a repeated ack with 409", async () => {
    const post = await makePending();
    expect((await next(key)).status).toBe(200);
    proxy.setMode("answers");
    expect((await settle("ack", key, post.id)).status).toBe(503);
    proxy.setMode("none");
    await expect.poll(async () => (await entry(post.id)).state).toBe("delivered");
    const again = await settle("ack", key, post.id);
    expect([again.status, again.json.detail]).toEqual([
      409,
      "Post is in state 'delivered', expected 'reserved'",
    ]);
    expect(await db.post_event.count({ where: { post_id: post.id, action: "ack" } })).toBe(1);
  });

  it("returns the reserved post to the queue when the reservation expires", async () => {
    const post = await makePending();
    proxy.setMode("answers");
    expect((await next(key)).status).toBe(503);
    proxy.setMode("none");
    await expect.poll(async () => (await entry(post.id)).state).toBe("reserved");
    expect((await next(key)).status).toBe(204);
    await ageReservation(post.id, env().RESERVE_TIMEOUT_SECONDS + 1);
    expect((await next(key)).json.fenliu_post_id).toBe(post.id);
    expect(await entry(post.id)).toMatchObject({ state: "reserved", timeouts: 1 });
  });
});

describe("with a slow statement", () => {
  it("does not interrupt it, alone, in a transaction or with parameters", async () => {
    const begun = performance.now();
    const seconds = (4 * (times.checkAfterMs + times.probeMs)) / 1000;
    await Promise.all([
      db.$executeRaw`SELECT pg_sleep(${seconds}::float8)`,
      db.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(${seconds}::float8), 'ü'`, { timeout: 20_000 }),
    ]);
    expect(performance.now() - begun).toBeGreaterThan(seconds * 1000 - 100);
  });
});
