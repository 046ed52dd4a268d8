import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { call } from "#tests/setup/request.ts";

/*
 * A transaction that gets no connection in time, or exceeds its timeout (Prisma's P2028), is rolled back and
 * answers 503.
 */

const work: { now: () => Promise<unknown> } = { now: () => Promise.resolve() };
const { GET } = routes("/test/busy", {
  GET: operation({
    summary: "Do the test's work",
    tag: "Test",
    auth: "none",
    responses: { 200: z.object({ done: z.boolean() }) },
    errors: ["busy"],
    handle: async () => {
      await work.now();
      return ok({ done: true });
    },
  }),
});

async function expectBusy(): Promise<void> {
  const logged = vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const answer = await call(GET, { path: "/api/v1/test/busy" });
  expect([answer.status, answer.headers.get("retry-after"), answer.json]).toMatchObject([
    503,
    "2",
    { detail: "The service is busy, try again" },
  ]);
  logged.mockRestore();
}

const tags = () => db.topical_tag.count();
const write = (tx: Pick<typeof db, "$executeRaw">) =>
  tx.$executeRaw`INSERT INTO topical_tag (hashtag, hashtag_folded, day_of_week) VALUES ('busy', 'busy', 1)`;
const pause = (tx: Pick<typeof db, "$executeRaw">) => tx.$executeRaw`SELECT pg_sleep(0.5)`;

describe("a transaction beyond its time limit", () => {
  it("answers busy and is rolled back", async () => {
    work.now = () =>
      db.$transaction(
        async (tx) => {
          await write(tx);
          await pause(tx);
          await write(tx);
        },
        { timeout: 100 },
      );
    await expectBusy();
    expect(await tags()).toBe(0);
  });

  it("answers busy also in operations that retry deadlocks", async () => {
    work.now = () =>
      inTransaction(async (tx) => {
        await write(tx);
        await pause(tx);
      }, 100);
    await expectBusy();
    expect(await tags()).toBe(0);
  });
});

describe("a transaction without a free connection in time", () => {
  it("answers busy and leaves the pool intact", async () => {
    const size = env().DATABASE_POOL_SIZE;
    await Promise.all(Array.from({ length: size }, () => db.$executeRaw`SELECT 1`));
    const others = Promise.all(Array.from({ length: size }, () => pause(db)));
    work.now = () => db.$transaction(write, { maxWait: 100 });
    await expectBusy();
    await others;
    expect(await tags()).toBe(0);
    work.now = () => Promise.all(Array.from({ length: 2 * size }, () => db.$transaction((tx) => pause(tx))));
    expect((await call(GET, { path: "/api/v1/test/busy" })).status).toBe(200);
  });
});
