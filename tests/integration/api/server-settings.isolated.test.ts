import pg from "pg";
import { beforeAll, expect, inject, it } from "vitest";
import { GET as next } from "#app/api/v1/curated/next/route.ts";
import { PATCH } from "#app/api/v1/posts/[id]/route.ts";
import { db, disconnectDb } from "#lib/db.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Times are UTC with any time zone and date style of the server. */

beforeAll(async () => {
  const database = new URL(process.env.DATABASE_URL ?? "").pathname.slice(1);
  const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${database} SET timezone = 'Asia/Kolkata'`);
  await admin.query(`ALTER DATABASE ${database} SET datestyle = 'German'`);
  await admin.end();
  // Open connections keep the old settings.
  await disconnectDb();
});

it("times are equal in Node and PostgreSQL", async () => {
  const moment = new Date("2026-07-01T22:15:00.123Z");
  const [row] = await db.$queryRaw<{ read: Date; epoch: number; now: Date }[]>`
    SELECT ${moment}::timestamptz AS read, extract(epoch FROM ${moment}::timestamptz)::float8 AS epoch, now() AS now`;
  expect(row?.read).toEqual(moment);
  expect(row?.epoch).toBe(moment.getTime() / 1000);
  expect(Math.abs((row?.now.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
});

it("database times are returned in UTC", async () => {
  const key = await makeKey();
  const post = await makePost({ created_at: new Date("2026-11-21T23:30:00Z") });
  const params = { id: String(post.id) };
  const reviewed = await call<{ reviewed_at: string }>(PATCH, {
    method: "PATCH",
    path: "/x",
    params,
    key,
    body: { approved: true },
  });
  const within = (time: string | null) => Math.abs(Date.parse(time ?? "") - Date.now());
  expect(within(reviewed.json.reviewed_at)).toBeLessThan(60_000);
  const handed = await call<{ approved_at: string; post_created_at: string }>(next, {
    path: "/api/v1/curated/next",
    key,
  });
  expect(handed.json.approved_at).toBe(reviewed.json.reviewed_at);
  expect(handed.json.post_created_at).toBe("2026-11-21T23:30:00.000Z");
  expect(within(handed.headers.get("x-reservation-expires-at"))).toBeLessThan(360_000);
});
