import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { GET as stats } from "#app/api/v1/stats/route.ts";
import { createClient } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { next, settle } from "#tests/integration/queue/moves.ts";

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

it("both processes work at once, transactions included, and nothing answers 503", async () => {
  holder.sluiceDb = web;
  const posts = await Promise.all(Array.from({ length: 10 }, () => makePending()));
  const background = Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      i % 2 === 0
        ? worker.$executeRaw`SELECT pg_sleep(0.02)`
        : worker.$transaction((tx) => tx.$executeRaw`SELECT pg_sleep(0.02)`),
    ),
  );
  const answers = await Promise.all([
    ...Array.from({ length: 40 }, getStats),
    ...posts.map(async () => {
      const reserved = await next(key);
      expect(reserved.status).toBe(200);
      return settle("ack", key, reserved.json.fenliu_post_id);
    }),
  ]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]));
  await background;
});
