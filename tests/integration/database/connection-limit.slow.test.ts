import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { GET as stats } from "#app/api/v1/stats/route.ts";
import { createClient } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* Two processes whose pools together want more connections than their role may have. */

const LIMIT = 8;
const holder = globalThis as { sluiceDb?: PrismaClient };
const admin = new pg.Client({ connectionString: inject("databaseServer").adminUrl });
const role = `limited_${process.pid}`;
let direct: PrismaClient | undefined;
let key = "";
let web: PrismaClient;
let worker: PrismaClient;

beforeAll(async () => {
  key = await makeKey();
  direct = holder.sluiceDb;
  const url = new URL(process.env.DATABASE_URL ?? "");
  await admin.connect();
  // Superusers have no limit.
  await admin.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'limited' CONNECTION LIMIT ${LIMIT} IN ROLE ${url.username}`,
  );
  url.username = role;
  url.password = "limited";
  web = createClient(url.href);
  worker = createClient(url.href);
});

afterAll(async () => {
  if (direct !== undefined) holder.sluiceDb = direct;
  await Promise.all([web.$disconnect(), worker.$disconnect()]);
  await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await admin.end();
});

const getStats = () => call(stats, { path: "/api/v1/stats", key });

async function openConnections(): Promise<number> {
  const { rows } = await admin.query<{ open: number }>(
    "SELECT count(*)::int AS open FROM pg_stat_activity WHERE usename = $1",
    [role],
  );
  return rows[0]?.open ?? 0;
}

it("requests wait until another process closes a connection that it does not use", async () => {
  expect(2 * env().DATABASE_POOL_SIZE).toBeGreaterThan(LIMIT);
  await Promise.all(Array.from({ length: LIMIT }, () => worker.$executeRaw`SELECT pg_sleep(0.3)`));
  expect(await openConnections()).toBe(LIMIT);
  holder.sluiceDb = web;
  const answers = await Promise.all(Array.from({ length: 30 }, getStats));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
});
