import { PrismaPg } from "@prisma/adapter-pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import { readHomeFacts } from "#app/(console)/home-facts.ts";
import { GET as health, HEAD as healthHead } from "#app/health/route.ts";
import { GET as info } from "#app/info/route.ts";
import { GET as live } from "#app/livez/route.ts";
import { GET as metrics } from "#app/metrics/route.ts";
import { GET as ready } from "#app/readyz/route.ts";
import {
  GET as unknownPath,
  HEAD as unknownHead,
  POST as unknownPost,
  OPTIONS,
} from "#app/api/v1/[[...path]]/route.ts";
import { GET as otherVersion, POST as postOtherVersion } from "#app/api/[[...path]]/route.ts";
import { db } from "#lib/db.ts";
import { databaseAway } from "#lib/errors.ts";
import { PrismaClient } from "#prisma/generated/client.ts";
import { makeKey, makeMember, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import packageJson from "../../../package.json" with { type: "json" };

const { version } = packageJson;

afterEach(async () => {
  await db.$executeRaw`UPDATE _prisma_migrations SET finished_at = coalesce(finished_at, now()), rolled_back_at = NULL`;
});

it("answers /health", async () => {
  const answer = await call(health, { path: "/health" });
  expect(answer.text).toBe(JSON.stringify({ status: "healthy", app: "Sluice", version }));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
  expect((await call(live, { path: "/livez" })).json).toEqual({ status: "alive" });
  expect((await call(info, { path: "/info" })).json).toMatchObject({ app: "Sluice", version, docs: "/docs" });
  const head = await call(healthHead, { path: "/health", method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
});

it("names the address of its source code in /info, and null without SOURCE_URL", async () => {
  expect((await call(info, { path: "/info" })).json).toMatchObject({
    license: "AGPL-3.0-or-later",
    source_url: null,
  });
  vi.stubEnv("SOURCE_URL", "https://code.example/sluice");
  vi.resetModules();
  const { GET } = await import("#app/info/route.ts");
  expect((await call(GET, { path: "/info" })).json).toMatchObject({
    source_url: "https://code.example/sluice",
  });
});

it("writes nothing when asked whether it is ready", async () => {
  const position = async () => {
    const [row] = await db.$queryRaw<{ at: string }[]>`SELECT pg_current_wal_insert_lsn()::text AS at`;
    return row?.at;
  };
  // Other databases of the server may write meanwhile.
  await expect
    .poll(async () => {
      const before = await position();
      expect((await call(ready, { path: "/readyz" })).status).toBe(200);
      return (await position()) === before;
    })
    .toBe(true);
});

it("is ready when the database has the tables of this version", async () => {
  expect((await call(ready, { path: "/readyz" })).json).toEqual({ status: "ready" });
  await db.$executeRaw`
    UPDATE _prisma_migrations SET finished_at = NULL
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`;
  const answer = await call(ready, { path: "/readyz" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(answer.json).toMatchObject({ detail: "The database is being brought up to date, try again" });
});

it("is not ready when a newer version has migrated the database", async () => {
  await db.$executeRaw`
    INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('newer', '', '29990101000000_newer', now())`;
  try {
    const answer = await call(ready, { path: "/readyz" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(answer.json).toMatchObject({ code: "database_newer" });
  } finally {
    await db.$executeRaw`DELETE FROM _prisma_migrations WHERE id = 'newer'`;
  }
});

describe("the state of the worker", () => {
  const MINUTE = 60_000;
  const verbose = async () => (await call(ready, { path: "/readyz?verbose" })).json;
  const worker = (status: string) => ({ status, last_round_age_seconds: expect.any(Number) as number });

  async function lastRound(ago: number, uptime = 6 * MINUTE) {
    vi.spyOn(process, "uptime").mockReturnValue(uptime / 1000);
    await db.installation.updateMany({ data: { last_round_at: new Date(Date.now() - ago) } });
  }

  it("is told by /readyz?verbose, and a silent worker does not change the status of /readyz", async () => {
    await lastRound(4 * MINUTE);
    expect(await verbose()).toEqual({ status: "ready", database: "ready", worker: worker("working") });
    await lastRound(6 * MINUTE);
    expect(await verbose()).toEqual({ status: "ready", database: "ready", worker: worker("silent") });
    const answer = await call(ready, { path: "/readyz" });
    expect([answer.status, answer.json]).toEqual([200, { status: "ready" }]);
  });

  it("is not called silent by a process that has just started", async () => {
    await lastRound(60 * MINUTE, MINUTE);
    expect(await verbose()).toMatchObject({ worker: worker("working") });
  });

  it("is a metric", async () => {
    await lastRound(6 * MINUTE);
    const answer = await call(metrics, { path: "/metrics", key: await makeKey() });
    expect(answer.text).toMatch(/^sluice_worker_last_round_age_seconds 3[6-9]\d$/m);
  });

  it("is on the start page of admins", async () => {
    const { id } = await makeMember("admin");
    await lastRound(4 * MINUTE);
    expect((await readHomeFacts({ id, role: "admin" })).workerSilentSince).toBeNull();
    await lastRound(6 * MINUTE);
    const { workerSilentSince: since } = await readHomeFacts({ id, role: "admin" });
    expect(Math.round((Date.now() - Date.parse(since ?? "")) / MINUTE)).toBe(6);
    expect((await readHomeFacts({ id, role: "reviewer" })).workerSilentSince).toBeNull();
  });

  it("on Vercel, where a scheduler calls once a day, is silent after 26 hours", async () => {
    vi.stubEnv("VERCEL", "1");
    vi.stubEnv("CRON_SECRET", "a secret for the scheduler");
    vi.resetModules();
    const { checkWorker } = await import("#lib/http/health.ts");
    await lastRound(25 * 60 * MINUTE, 1);
    expect(await checkWorker()).toEqual(worker("working"));
    await lastRound(27 * 60 * MINUTE, 1);
    expect(await checkWorker()).toEqual(worker("silent"));
  });
});

it("is not ready for half a minute after a write failed on a full disk", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    databaseAway({ code: "53100" });
    expect((await call(ready, { path: "/readyz" })).json).toMatchObject({
      detail: "The database cannot write now, try again",
    });
    vi.setSystemTime(Date.now() + 31_000);
    expect((await call(ready, { path: "/readyz" })).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});

it("is not ready with a rolled-back migration", async () => {
  const last = await db.$executeRaw`
    UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`;
  expect([last, (await call(ready, { path: "/readyz" })).status]).toEqual([1, 503]);
});

it("is not ready, within the time limit, when the database does not answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const holder = globalThis as { sluiceDb?: unknown };
  const here = holder.sluiceDb;
  holder.sluiceDb = { $queryRaw: () => new Promise(() => undefined) };
  try {
    const asking = call(ready, { path: "/readyz" });
    await vi.advanceTimersByTimeAsync(3_000);
    const answer = await asking;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  } finally {
    holder.sluiceDb = here;
    vi.useRealTimers();
  }
});

it("is live but not ready without the database", async () => {
  const holder = globalThis as { sluiceDb?: PrismaClient };
  const here = holder.sluiceDb;
  const adapter = new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:1/nothing" });
  const nowhere = new PrismaClient({ adapter });
  holder.sluiceDb = nowhere;
  try {
    const answer = await call(ready, { path: "/readyz" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(answer.json).toMatchObject({ detail: "The database is not reachable, try again" });
    expect((await call(live, { path: "/livez" })).status).toBe(200);
    expect((await call(health, { path: "/health" })).status).toBe(200);
  } finally {
    holder.sluiceDb = here;
    await nowhere.$disconnect();
  }
});

it.each(["/api/v1", "/api/v1/nothing", "/api/v1/posts/1/nothing"])(
  "knows no path %s, whatever the method and the key",
  async (path) => {
    for (const [handler, method] of [
      [unknownPath, "GET"],
      [unknownPost, "POST"],
      [OPTIONS, "OPTIONS"],
    ] as const) {
      const answer = await call(handler, { path, method });
      expect([answer.status, answer.json]).toMatchObject([404, { detail: "Not found" }]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("x-request-id")).toBeTruthy();
    }
    const head = await call(unknownHead, { path, method: "HEAD" });
    expect([head.status, head.text]).toEqual([404, ""]);
  },
);

it.each(["/api", "/api/v2/posts", "/api/nothing"])("answers programs that ask %s in JSON", async (path) => {
  for (const [handler, method] of [
    [otherVersion, "GET"],
    [postOtherVersion, "POST"],
  ] as const) {
    const answer = await call(handler, { path, method });
    expect([answer.status, answer.json]).toMatchObject([404, { detail: "Not found" }]);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
});

it("serves Prometheus metrics to a key with manage", async () => {
  const key = await makeKey();
  await makePost();
  await call(health, { path: "/health" });
  const bearer = { authorization: `Bearer ${key}` };
  const answer = await call(metrics, { path: "/metrics", headers: bearer });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(answer.text).toContain(
    'sluice_http_request_duration_seconds_count{method="GET",route="/health",status="200"}',
  );
  expect(answer.text).toContain('\nsluice_posts_total{event="fetched"} 1\n');
  expect(answer.text).toContain("\nprocess_cpu_user_seconds_total ");
  const strange = answer.text.split("\n").filter((line) => !/^(#.*|\w+(\{[^}]*\})? \S+)?$/.test(line));
  expect(strange).toEqual([]);
  expect(new Set(answer.text.match(/^# TYPE (\w+)/gm)).size).toBe(answer.text.match(/^# TYPE/gm)?.length);
});
