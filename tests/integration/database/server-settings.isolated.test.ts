import pg from "pg";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { POST as ack } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { GET as posts } from "#app/api/v1/posts/route.ts";
import { GET as ready } from "#app/readyz/route.ts";
import { db, disconnectDb } from "#lib/base/db.ts";
import { log } from "#lib/base/log.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Settings that a provider or an operator makes for the database. */

let key = "";
const settings = [
  "default_transaction_read_only",
  "statement_timeout",
  "lock_timeout",
  "timezone",
  "datestyle",
];

beforeAll(async () => {
  key = await makeKey();
});
afterEach(() => set(Object.fromEntries(settings.map((name) => [name, "DEFAULT"]))));

async function set(values: Record<string, string>): Promise<void> {
  const database = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
  await admin.connect();
  for (const [name, value] of Object.entries(values))
    await admin.query(`ALTER DATABASE ${database} SET ${name} = ${value}`);
  await admin.end();
  // Open connections keep the old settings.
  await disconnectDb();
}

const patch = (id: number, approved: boolean) =>
  call<{ reviewed_at: string }>(PATCH, {
    ...{ method: "PATCH", path: "/x", params: { id: String(id) }, key, body: { approved } },
  });

describe("a read-only database (a standby after a failover, a full disk)", () => {
  it("is not ready, refuses changes that are to be tried again, and serves reads", async () => {
    const { id } = await makePending();
    await set({ default_transaction_read_only: "on" });
    const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    for (const answer of [
      await call(next, { path: "/api/v1/curated/next", key }),
      await call(ack, { method: "POST", path: "/x", params: { post_id: String(id) }, key }),
      await patch(id, false),
      await call(ready, { path: "/readyz" }),
    ])
      expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
        ...[503, "5", { detail: "The database cannot write now, try again" }],
      ]);
    expect(logged).toHaveBeenCalled();
    expect((await call<{ total: number }>(posts, { path: "/api/v1/posts", key })).json.total).toBe(1);
  });
});

describe.each(["statement_timeout", "lock_timeout"])("a statement that %s ends", (setting) => {
  it("answers 503 in plain words, changes nothing, and may be repeated", async () => {
    const { id } = await makePost();
    const other = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await other.connect();
    await other.query("BEGIN");
    await other.query("SELECT FROM post WHERE id = $1 FOR UPDATE", [id]);
    await set({ [setting]: "'200ms'" });
    vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const answer = await patch(id, true);
    expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
      ...[503, "5", { detail: "The database ended this request because it took too long, try again" }],
    ]);
    await other.query("COMMIT");
    await other.end();
    await set({ [setting]: "DEFAULT" });
    expect(await db.post_event.count({ where: { post_id: id } })).toBe(0);
    expect((await patch(id, true)).status).toBe(200);
  });
});

describe("with any time zone and date style of the server", () => {
  it("times are UTC, and equal in Node and PostgreSQL", async () => {
    await set({ timezone: "'Asia/Kolkata'", datestyle: "'German'" });
    const moment = new Date("2026-07-01T22:15:00.123Z");
    const [row] = await db.$queryRaw<{ read: Date; epoch: number }[]>`
      SELECT ${moment}::timestamptz AS read, extract(epoch FROM ${moment}::timestamptz)::float8 AS epoch`;
    expect(row).toEqual({ read: moment, epoch: moment.getTime() / 1000 });
    await db.post.deleteMany();
    const { id } = await makePost({ created_at: new Date("2026-11-21T23:30:00Z") });
    const reviewed = await patch(id, true);
    expect(Math.abs(Date.parse(reviewed.json.reviewed_at) - Date.now())).toBeLessThan(60_000);
    const handed = await call(next, { path: "/api/v1/curated/next", key });
    expect(handed.json).toMatchObject({
      approved_at: reviewed.json.reviewed_at,
      post_created_at: "2026-11-21T23:30:00.000Z",
    });
    const expires = Date.parse(handed.headers.get("x-reservation-expires-at") ?? "");
    expect(Math.abs(expires - Date.now())).toBeLessThan(360_000);
  });
});
