import pg from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GET as ready } from "#app/readyz/route.ts";
import { GET as stats } from "#app/api/v1/stats/route.ts";
import { PATCH as patch } from "#app/api/v1/posts/[id]/route.ts";
import { createClient } from "#lib/db.ts";
import { WATCH_TIMES, type WatchTimes } from "#lib/db-watch.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { hasPooler, type Pooler, startPooler } from "#tests/setup/pooler.ts";
import { call } from "#tests/setup/request.ts";
import { next, settle } from "#tests/integration/queue/moves.ts";
import { startSilentProxy, type SilentProxy } from "./silent-proxy.ts";

const holder = globalThis as { sluiceDb?: PrismaClient };
/** Connections of the pooler to the server. */
const size = 2;
let direct: PrismaClient | undefined;
let proxy: SilentProxy;
let pooler: Pooler;
let client: PrismaClient;
let key = "";

beforeAll(async () => {
  key = await makeKey();
  direct = holder.sluiceDb;
});

beforeEach(async () => {
  proxy = await startSilentProxy(process.env.DATABASE_URL ?? "");
  pooler = await startPooler(proxy.url, { size, retry: 1 });
});

afterEach(async () => {
  if (direct !== undefined) holder.sluiceDb = direct;
  await client.$disconnect();
  await pooler.stop();
  await proxy.close();
});

function connect(times?: WatchTimes): void {
  client = createClient(pooler.url, times);
  holder.sluiceDb = client;
}

const getStats = () => call(stats, { path: "/api/v1/stats", key });
const approve = (id: number) =>
  call(patch, {
    method: "PATCH",
    path: `/api/v1/posts/${id}`,
    params: { id: String(id) },
    key,
    body: { approved: true },
  });

describe.skipIf(!hasPooler)("behind PgBouncer", () => {
  it("a database that is down is a 503 with Retry-After within a second, as without the pooler", async () => {
    const post = await makePending();
    connect();
    const warm = await Promise.all(Array.from({ length: 8 }, getStats));
    expect(warm.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    proxy.setMode("closed");
    for (const _ of ["statements that wait for a connection", "statements that are refused"]) {
      const begun = performance.now();
      const answers = await Promise.all([
        getStats(),
        next(key),
        settle("ack", key, post.id),
        approve(post.id),
        call(ready, { path: "/readyz" }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(503));
      expect(answers.map(({ headers }) => headers.get("retry-after"))).toEqual(Array(5).fill("5"));
      expect(answers[0].json).toMatchObject({ detail: "The database is not reachable, try again" });
      // Twice the promised time, because test machines are shared.
      expect(performance.now() - begun).toBeLessThan(2_000);
    }
    proxy.setMode("none");
    await expect.poll(async () => (await getStats()).status, { timeout: 10_000 }).toBe(200);
    expect((await call(ready, { path: "/readyz" })).status).toBe(200);
  });

  it("a full pool is no outage: statements that wait for locks are not cut", async () => {
    const posts = [await makePost(), await makePost()];
    const times = { ...WATCH_TIMES, intervalMs: 20, checkAfterMs: 50, checkAgainMs: 100, probeMs: 200 };
    connect(times);
    expect((await getStats()).status).toBe(200);
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT FROM post WHERE id = ANY ($1) FOR UPDATE", [posts.map(({ id }) => id)]);
    // Long enough for several probes; the rows are locked meanwhile.
    const released = other.query("SELECT pg_sleep($1)", [(6 * times.probeMs) / 1000]);
    const approvals = Promise.all([...posts.map(({ id }) => approve(id)), getStats()]);
    await released;
    await other.query("COMMIT");
    await other.end();
    expect((await approvals).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("a server that answers nobody through the pooler becomes a 503 after the patience", async () => {
    const times = {
      ...WATCH_TIMES,
      intervalMs: 20,
      checkAfterMs: 50,
      checkAgainMs: 50,
      probeMs: 100,
      patienceMs: 400,
    };
    connect(times);
    expect((await getStats()).status).toBe(200);
    proxy.setMode("all");
    const answers = await Promise.all([getStats(), getStats(), getStats()]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  });
});
