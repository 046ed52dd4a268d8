import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { readAttention } from "#app/(console)/home-facts.ts";
import * as otherVersion from "#app/api/[[...path]]/route.ts";
import * as unknownPath from "#app/api/v1/[[...path]]/route.ts";
import { GET as health, HEAD as healthHead } from "#app/health/route.ts";
import { GET as info } from "#app/info/route.ts";
import { GET as live } from "#app/livez/route.ts";
import { GET as ready } from "#app/readyz/route.ts";
import { db } from "#lib/base/db.ts";
import { databaseAway } from "#lib/base/errors.ts";
import { withoutDatabase } from "#tests/integration/database/without-database.ts";
import { makeMember } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import packageJson from "../../../package.json" with { type: "json" };

const { version } = packageJson;

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
  const position = () => db.$queryRaw`SELECT pg_current_wal_insert_lsn()::text AS at`;
  // Other databases of the server may write meanwhile.
  await expect
    .poll(
      async () => {
        const before = await position();
        expect((await call(ready, { path: "/readyz" })).status).toBe(200);
        return isDeepStrictEqual(await position(), before);
      },
      { timeout: 20_000 },
    )
    .toBe(true);
});

it("is not ready when the database has another migration than this version", async () => {
  expect((await call(ready, { path: "/readyz" })).json).toEqual({ status: "ready" });
  const rename = (from: string, to: string) =>
    db.$executeRaw`UPDATE schema_migration SET name = ${to} WHERE name = ${from}`;
  const [row] = await db.$queryRaw<{ name: string }[]>`SELECT min(name) AS name FROM schema_migration`;
  const name = row?.name ?? "";
  const newer = "29990101000000_newer";
  await rename(name, newer);
  const other = await call(ready, { path: "/readyz" });
  expect([other.status, other.headers.get("retry-after"), other.json.code]).toEqual([
    503,
    "5",
    "database_newer",
  ]);
  await db.$executeRaw`DELETE FROM schema_migration WHERE name = ${newer}`;
  const older = await call(ready, { path: "/readyz" });
  expect([older.status, older.headers.get("retry-after"), older.json.code]).toEqual([503, "5", "not_ready"]);
  await db.$executeRaw`INSERT INTO schema_migration VALUES (${name}, '', now())`;
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

  it("is on the start page of admins", async () => {
    const { id } = await makeMember("admin");
    await lastRound(4 * MINUTE);
    expect((await readAttention({ id, role: "admin" })).workerSilentSince).toBeNull();
    await lastRound(6 * MINUTE);
    const { workerSilentSince: since } = await readAttention({ id, role: "admin" });
    expect(Math.round((Date.now() - Date.parse(since ?? "")) / MINUTE)).toBe(6);
    expect((await readAttention({ id, role: "reviewer" })).workerSilentSince).toBeNull();
  });

  it("on Vercel, where a scheduler calls once a day, is silent after 26 hours", async () => {
    vi.stubEnv("VERCEL", "1");
    vi.stubEnv("CRON_SECRET", "a secret for the scheduler");
    vi.resetModules();
    const { checkWorker } = await import("#lib/base/http/health.ts");
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
  await withoutDatabase(async () => {
    const answer = await call(ready, { path: "/readyz" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(answer.json).toMatchObject({ detail: "The database is not reachable, try again" });
    expect((await call(live, { path: "/livez" })).status).toBe(200);
    expect((await call(health, { path: "/health" })).status).toBe(200);
  });
});

it.each([
  ["/api/v1", unknownPath],
  ["/api/v1/posts/1/nothing", unknownPath],
  ["/api/v2/posts", otherVersion],
])("knows no path %s, whatever the method and the key", async (path, handlers) => {
  for (const method of ["GET", "POST", "OPTIONS", "HEAD"] as const) {
    const answer = await call(handlers[method], { path, method });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
    if (method === "HEAD") expect(answer.text).toBe("");
    else expect(answer.json).toMatchObject({ detail: "Not found" });
  }
});
