import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { BENCH_KEY, seed } from "#tests/bench/seed.ts";
import { copyTemplate, type DatabaseServer, query } from "#tests/setup/database.ts";
import { type App, childrenOf, startApp } from "#tests/setup/installation.ts";

/* Two web servers and a worker, each started alone, on one database. */

const POSTS = 2_000;
const CONSUMERS = 6;
const CONFIRMED = "UPDATE queue_entry SET confirmed_at = now() + interval '1 day'";

let folder: string;
let database: Awaited<ReturnType<typeof copyTemplate>>;
let web: App[];
let worker: App;

test.describe.configure({ mode: "serial", timeout: 120_000 });

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

test("six consumers of both web servers get no post twice", async () => {
  const taken: number[] = [];
  async function consume(consumer: number): Promise<void> {
    for (let turn = consumer; taken.length < 300; turn++) {
      const { status, body, etag } = await ask(turn % 2, "/api/v1/curated/next");
      expect(status).toBe(200);
      const id = body.fenliu_post_id ?? 0;
      taken.push(id);
      expect((await ask((turn + 1) % 2, `/api/v1/curated/${id}/ack`, etag)).status).toBe(204);
    }
  }
  await Promise.all(Array.from({ length: CONSUMERS }, (_, index) => consume(index)));
  expect(new Set(taken).size).toBe(taken.length);
  const [delivered] = await query<{ count: number }>(
    database.url,
    "SELECT count(*)::int AS count FROM queue_entry WHERE state = 'delivered'",
  );
  expect(delivered?.count).toBe(taken.length);
});
