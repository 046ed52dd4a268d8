import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { BENCH_KEY, seed } from "#tests/bench/seed.ts";
import { copyTemplate, type DatabaseServer, query } from "#tests/setup/database.ts";
import { type App, startApp } from "#tests/setup/installation.ts";
import { childrenOf } from "#tests/setup/program.ts";

/*
 * Two web servers and a worker, each started alone, on one database. Some consumers give posts back or never answer, and a
 * web server is killed.
 */

const POSTS = 2_000;
const CONSUMERS = 16;
const CONFIRMED = "UPDATE queue_entry SET confirmed_at = now() + interval '1 day'";

let folder: string;
let database: Awaited<ReturnType<typeof copyTemplate>>;
let web: App[];
let worker: App;

test.describe.configure({ mode: "serial", timeout: 240_000 });

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "sluice-several-"));
  database = await copyTemplate(JSON.parse(process.env.E2E_DATABASE_SERVER ?? "") as DatabaseServer);
  await seed(database.url, POSTS);
  await query(database.url, CONFIRMED);
  const start = (name: string, processes: string) =>
    startApp({
      dataDir: path.join(folder, name),
      settings: {
        PROCESSES: processes,
        DATABASE_URL: database.url,
        AUTH_SECRET: "a".repeat(40),
        ENCRYPTION_KEY: "b".repeat(40),
        RESERVE_TIMEOUT_SECONDS: "3",
        LOG_LEVEL: "fatal",
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
  await database.drop();
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

async function lastRound(): Promise<number> {
  const [row] = await query<{ age: number }>(
    database.url,
    "SELECT extract(epoch FROM now() - last_round_at)::float8 AS age FROM installation",
  );
  return row?.age ?? Infinity;
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
  await expect.poll(lastRound, { timeout: 20_000 }).toBeLessThan(10);
});

test("consumers of both web servers deliver every post once, while one server is killed three times", async () => {
  let isFinished = false;
  let failures = 0;
  const consume = async (consumer: number) => {
    for (let turn = consumer; !isFinished; turn++) {
      try {
        const { status, body, etag } = await ask(turn % 2, "/api/v1/curated/next");
        // One in fifty never answers, one in ten gives back.
        if (turn % 50 === 7) continue;
        const verb = turn % 10 === 3 ? "nack" : "ack";
        if (status === 200) await ask((turn + 1) % 2, `/api/v1/curated/${body.fenliu_post_id}/${verb}`, etag);
        else await sleep(100);
      } catch {
        // The server was killed during the call, so only the database knows the result.
        failures++;
        await sleep(50);
      }
    }
  };
  const consumers = Array.from({ length: CONSUMERS }, (_, n) => consume(n * 17));
  const delivered = async () =>
    (await query(database.url, "SELECT FROM queue_entry WHERE state = 'delivered'")).length;
  const webPid = () => childrenOf(web[0]?.pid, "sluice-web")[0] ?? 0;
  for (const share of [0.15, 0.4, 0.65]) {
    await expect.poll(delivered, { timeout: 60_000, intervals: [50] }).toBeGreaterThan(POSTS * share);
    await expect.poll(webPid, { timeout: 20_000, intervals: [50] }).toBeGreaterThan(0);
    process.kill(webPid(), "SIGKILL");
  }
  await expect.poll(delivered, { timeout: 90_000, intervals: [200] }).toBe(POSTS);
  isFinished = true;
  await Promise.all(consumers);
  expect(failures).toBeGreaterThan(0);
  // Posts without exactly one ack, or with overlapping reservations.
  const wrong = await query(
    database.url,
    `WITH life AS (
       SELECT post_id, action, lead(action) OVER (PARTITION BY post_id ORDER BY id) AS following
         FROM post_event WHERE action IN ('reserve', 'ack', 'nack', 'time_out'))
     SELECT post_id, action, following FROM life
      WHERE (action = 'reserve' AND (following IS NULL OR following = 'reserve'))
         OR (action <> 'reserve' AND following IS NOT NULL AND following <> 'reserve')
         OR (action = 'ack' AND following IS NOT NULL)`,
  );
  expect(wrong).toEqual([]);
  const counts = await query<{ action: string; n: number }>(
    database.url,
    "SELECT action, count(*)::int AS n FROM post_event GROUP BY 1",
  );
  const { ack, nack = 0, time_out = 0 } = Object.fromEntries(counts.map(({ action, n }) => [action, n]));
  expect(ack).toBe(POSTS);
  expect([nack > POSTS / 20, time_out > POSTS / 100]).toEqual([true, true]);
  const sums = await query(
    database.url,
    `SELECT (SELECT sum(n)::int FROM tally_now('{total}') WHERE key = '' AND metric = 'delivered') AS delivered,
            (SELECT sum(n)::int FROM tally_now('{level}') WHERE key = '' AND metric IN ('pending', 'reserved')) AS open`,
  );
  expect(sums).toEqual([{ delivered: POSTS, open: 0 }]);
});
