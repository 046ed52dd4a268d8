import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { BENCH_KEY, seed } from "#tests/bench/seed.ts";
import { query } from "#tests/setup/database.ts";
import { startDatabasePair, type DatabasePair } from "#tests/setup/database-pair.ts";
import { type App, childrenOf, startApp } from "#tests/setup/installation.ts";

/*
 * Two web servers and a worker, each started alone, on a primary with a synchronous standby. The tests run in order: the
 * last one kills the primary.
 */

const POSTS = 2_000;
const CONSUMERS = 6;
const CONFIRMED = "UPDATE queue_entry SET confirmed_at = now() + interval '1 day'";

let folder: string;
let pair: DatabasePair;
let web: App[];
let worker: App;

test.describe.configure({ mode: "serial", timeout: 120_000 });

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-several-"));
  pair = await startDatabasePair(async (url) => {
    await seed(url, POSTS);
    await query(url, CONFIRMED);
  });
  const start = (name: string, processes: string) =>
    startApp({
      dataDir: path.join(folder, name),
      settings: {
        PROCESSES: processes,
        DATABASE_URL: pair.appUrl,
        DIRECT_URL: pair.ownerUrl,
        AUTH_SECRET: "a".repeat(40),
        ENCRYPTION_KEY: "b".repeat(40),
        LOG_LEVEL: "warn",
      },
      logFile: path.join(folder, `${name}.log`),
    });
  const [first, second, third] = await Promise.all([
    start("web-1", "web"),
    start("web-2", "web"),
    start("worker", "worker"),
  ]);
  web = [first, second];
  worker = third;
});

test.afterAll(async () => {
  await Promise.all([...web, worker].map((app) => app.stop()));
  await pair.stop();
  await rm(folder, { recursive: true, force: true });
});

type Answer = { status: number; body: { fenliu_post_id?: number; code?: string }; etag: string };

async function ask(instance: number, target: string, etag?: string): Promise<Answer> {
  const response = await fetch(new URL(target, web[instance]?.url), {
    method: etag === undefined ? "GET" : "POST",
    headers: { "X-API-Key": BENCH_KEY, ...(etag === undefined ? {} : { "If-Match": etag }) },
  });
  const text = await response.text();
  const body = (text === "" ? {} : JSON.parse(text)) as Answer["body"];
  return { status: response.status, body, etag: response.headers.get("etag") ?? "" };
}

const lastRound = async (url = pair.ownerUrl) =>
  (
    await ownerQuery<{ age: number }>(
      "SELECT extract(epoch FROM now() - last_round_at)::float8 AS age FROM installation",
      url,
    )
  )[0]?.age ?? Infinity;

/** The plain client of the tests knows one host: the primary is the second. */
function ownerQuery<Row extends object>(text: string, url = pair.ownerUrl): Promise<Row[]> {
  return query<Row>(url.replace(/@[^/]*,/, "@"), text);
}

test("each start runs its own process, and both web servers serve the API", async () => {
  const processes = (app: App) =>
    ["sluice-web", "sluice-worker"].map((title) => childrenOf(app.pid, title).length);
  expect([...web, worker].map(processes)).toEqual([
    [1, 0],
    [1, 0],
    [0, 1],
  ]);
  expect(await Promise.all([0, 1].map(async (each) => (await ask(each, "/api/v1/stats")).status))).toEqual([
    200, 200,
  ]);
  await expect.poll(() => lastRound(), { timeout: 20_000 }).toBeLessThan(10);
});

test("a fail-over under load loses nothing that was acknowledged, and hands nothing out twice", async () => {
  const taken: number[] = [];
  const acknowledged: number[] = [];
  const failures: { at: number; status: number }[] = [];
  const successes: number[] = [];
  let isOver = false;

  async function consume(consumer: number): Promise<void> {
    for (let turn = consumer; !isOver; turn++) {
      const { status, body, etag } = await ask(turn % 2, "/api/v1/curated/next");
      if (status !== 200) {
        failures.push({ at: performance.now(), status });
        await sleep(100);
        continue;
      }
      successes.push(performance.now());
      const id = body.fenliu_post_id ?? 0;
      taken.push(id);
      for (;;) {
        const answer = await ask((turn + 1) % 2, `/api/v1/curated/${id}/ack`, etag);
        // The ack before took effect, and its answer was lost.
        if (answer.status === 204 || answer.status === 409) {
          acknowledged.push(id);
          break;
        }
        failures.push({ at: performance.now(), status: answer.status });
        await sleep(100);
      }
    }
  }

  const consumers = Array.from({ length: CONSUMERS }, (_, index) => consume(index));
  await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(100);
  const killed = performance.now();
  pair.killPrimary();
  await expect.poll(() => failures.length, { timeout: 15_000 }).toBeGreaterThan(CONSUMERS);
  await sleep(1_000);
  await pair.promoteStandby();
  const promoted = performance.now();
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length - before, { timeout: 30_000 }).toBeGreaterThan(100);
  isOver = true;
  await Promise.all(consumers);

  expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([503]));
  expect(failures.filter(({ at }) => at < killed)).toEqual([]);
  const last = Math.max(...failures.map(({ at }) => at));
  const recovered = successes.find((at) => at > promoted) ?? Infinity;
  console.log(
    `fail-over: ${taken.length} posts taken, ${acknowledged.length} acknowledged, ${failures.length} answers 503; ` +
      `first success ${Math.round(recovered - promoted)} ms and last 503 ${Math.round(last - promoted)} ms after the promotion`,
  );
  // A statement without an answer is cut after some seconds, and test machines are slow.
  expect(last - promoted).toBeLessThan(10_000);
  expect(new Set(taken).size).toBe(taken.length);
  const delivered = await query<{ post_id: number }>(
    pair.standbyUrl,
    "SELECT post_id FROM queue_entry WHERE state = 'delivered'",
  );
  const stored = new Set(delivered.map(({ post_id }) => post_id));
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  const [total] = await query<{ count: number }>(
    pair.standbyUrl,
    "SELECT count(*)::int AS count FROM queue_entry WHERE state IN ('pending', 'reserved', 'delivered')",
  );
  expect(total?.count).toBe(POSTS);
  for (const instance of [0, 1]) expect((await ask(instance, "/readyz")).status).toBe(200);
  await expect.poll(() => lastRound(pair.standbyUrl), { timeout: 20_000 }).toBeLessThan(10);
});
