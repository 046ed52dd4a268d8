import pg from "pg";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { POST as requeue } from "#app/api/v1/curated/[post_id]/requeue/route.ts";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { GET as ready } from "#app/readyz/route.ts";
import { GET as posts } from "#app/api/v1/posts/route.ts";
import { PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { disconnectDb } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* A database that cannot write (a standby after a failover, a full disk): writes answer 503, reads work. */

let key = "";
let id = "";

beforeAll(async () => {
  key = await makeKey();
  id = String((await makePending()).id);
  const database = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
  await admin.end();
  // Open connections keep the old setting.
  await disconnectDb();
});

describe("a read-only database", () => {
  it.each([
    ["next", () => call(next, { path: "/api/v1/curated/next", key })],
    ["ack", () => call(ack, { method: "POST", path: "/x", params: { post_id: id }, key })],
    ["requeue", () => call(requeue, { method: "POST", path: "/x", params: { post_id: id }, key })],
    [
      "PATCH",
      () => call(PATCH, { method: "PATCH", path: "/x", params: { id }, key, body: { approved: false } }),
    ],
  ])("%s is to be tried again", async (_name, ask) => {
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const answer = await ask();
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
      503,
      "5",
      { detail: "The database cannot write now, try again" },
    ]);
    // One line for each request.
    const calls = logged.mock.calls as unknown[][];
    expect(calls.find(([, sentence]) => sentence === answer.json.detail)?.[0]).toEqual({
      reason: expect.stringMatching(/^.{0,120}read-only.{0,120}$/) as string,
      request_id: answer.headers.get("x-request-id"),
    });
    logged.mockRestore();
  });

  it("is not ready", async () => {
    const answer = await call(ready, { path: "/readyz" });
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
      503,
      "5",
      { detail: "The database cannot write now, try again" },
    ]);
  });

  it("still serves reads", async () => {
    const answer = await call<{ total: number }>(posts, { path: "/api/v1/posts", key });
    expect([answer.status, answer.json.total]).toEqual([200, 1]);
  });
});
