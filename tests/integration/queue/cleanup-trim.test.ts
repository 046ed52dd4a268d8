import { beforeEach, describe, expect, it } from "vitest";
import { POST as postCleanup } from "#app/api/v1/curated/cleanup/route.ts";
import { POST as postTrim } from "#app/api/v1/curated/trim-pending/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { lockTrim, trimRows, trimSampleRows } from "#lib/queue/sql.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { addEvents, forgetFigures, sumsOf } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { emptyQueue, next, settle } from "./moves.ts";

const key = await makeKey();
const PATIENT = { timeout: 20_000 };
beforeEach(async () => {
  await emptyQueue();
  await forgetFigures();
});

const cleanup = (query = "", k: string | undefined = key) =>
  call(postCleanup, { method: "POST", path: `/api/v1/curated/cleanup${query}`, ...(k ? { key: k } : {}) });
const trim = (query = "") =>
  call(postTrim, { method: "POST", path: `/api/v1/curated/trim-pending${query}`, key });

async function deliver(daysAgo: number) {
  const post = await makePending();
  const { json } = await next(key);
  await settle("ack", key, json.fenliu_post_id);
  await db.$executeRaw`UPDATE queue_entry SET delivered_at = now() - ${daysAgo} * interval '1 day' WHERE post_id = ${json.fenliu_post_id}`;
  return post;
}

describe("cleanup", () => {
  it("deletes posts older than seven days, keeps all-time figures and leaves tombstones", async () => {
    const old = await deliver(7.001);
    await deliver(6.999);
    await makePending();
    expect((await cleanup()).json).toEqual({ deleted: 1 });
    expect((await cleanup()).json).toEqual({ deleted: 0 });
    expect(await db.post.findUnique({ where: { id: old.id } })).toBeNull();
    expect((await sumsOf("total"))["delivered"]).toBe(2);
    expect((await sumsOf("level"))["delivered"]).toBe(1);
    const [grave] = await db.$queryRaw<
      { reason: string }[]
    >`SELECT reason FROM tombstone WHERE uri_hmac = uri_hmac(${old.uri})`;
    expect(grave).toEqual({ reason: "cleanup" });
    expect((await settle("ack", key, old.id)).status).toBe(404);
  });

  it("keeps a post that is no longer delivered when its lock is free", async () => {
    const changed = await deliver(9);
    await deliver(8);
    let cleaned: ReturnType<typeof cleanup> | undefined;
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`
        UPDATE queue_entry SET state = 'pending', delivered_at = NULL WHERE post_id = ${changed.id}`;
      cleaned = cleanup();
      await waitForBlockedStatement();
    }, LOCK_TIMEOUT);
    expect((await cleaned)?.json).toEqual({ deleted: 1 });
    expect((await db.post.findMany()).map(({ id }) => id)).toEqual([changed.id]);
  });

  it("deletes any number of posts", async () => {
    const { id } = await deliver(8);
    await db.$executeRaw`
      INSERT INTO post SELECT copy.* FROM post p, generate_series(1, 2000) n, LATERAL jsonb_populate_record(
        p, jsonb_build_object('id', p.id + n, 'uri', p.uri || n)) copy WHERE p.id = ${id}`;
    await db.$executeRaw`
      INSERT INTO queue_entry SELECT copy.* FROM queue_entry q, generate_series(1, 2000) n, LATERAL
        jsonb_populate_record(q, jsonb_build_object('post_id', q.post_id + n)) copy WHERE q.post_id = ${id}`;
    const late = await cleanupDelivered(servicePrincipal, 7, { deadline: new Date() });
    expect(late).toEqual({ deleted: 1000, complete: false });
    expect((await cleanup()).json).toEqual({ deleted: 1001 });
    expect(await db.post.count()).toBe(0);
  });

  it.each([
    ["?retention_days=0", 2],
    ["?retention_days=7", 1],
    ["?retention_days=9999999999999999999999", 0],
  ])("%s deletes %i", async (query, deleted) => {
    await deliver(0);
    await deliver(7.5);
    expect((await cleanup(query)).json).toEqual({ deleted });
  });

  it.each([
    ["-1", "retention_days must be >= 0"],
    ["1e2", "retention_days must be an integer"],
    ["", "retention_days must be an integer"],
  ])("answers 400 to retention_days=%s", async (value, detail) => {
    const answer = await cleanup(`?retention_days=${value}`);
    expect([answer.status, answer.json]).toMatchObject([400, { detail }]);
  });
});

describe("trim-pending", () => {
  /** Before the windows of these tests. */
  const earlier = [[24 * 101, 1]] as const;

  it.each([
    ["0", "lookback_days must be >= 1"],
    ["2.0", "lookback_days must be an integer"],
  ])("answers 400 to lookback_days=%s", async (value, detail) => {
    const answer = await trim(`?lookback_days=${value}`);
    expect([answer.status, answer.json]).toMatchObject([400, { detail }]);
  });

  it("answers 400 before 422", async () => {
    expect((await trim("?dry_run=perhaps&lookback_days=x")).json).toMatchObject({
      detail: "lookback_days must be an integer",
    });
    expect((await trim("?dry_run=perhaps&lookback_days=2")).status).toBe(422);
  });

  it("removes nothing without delivery history or within the target", async () => {
    for (let i = 0; i < 5; i++) await makePending();
    expect((await trim()).json).toEqual({ deleted: 0 });
    await addEvents("delivered", [[71, 9]]);
    expect((await trim()).json).toEqual({ deleted: 0 });
    expect((await trim("?lookback_days=1")).json).toEqual({ deleted: 0 });
  });

  it("has a window that agrees with the pace of the queue", async () => {
    await addEvents("delivered", [
      [71, 4],
      [10, 14],
    ]);
    const { pace_days: days, deliveries_per_day: pace } = await queueSupply();
    expect(days).toBe(2);
    expect(pace).toBeCloseTo((18 / 72) * 24, 0);
    // The last two of the three days.
    expect((await trim(`?dry_run=true&lookback_days=${days}`)).json).toMatchObject({ target: 14 });
  });

  it("trims to floor(2 × deliveries ÷ days) regardless of cleanups, as previewed", async () => {
    await addEvents("delivered", earlier);
    for (let i = 0; i < 4; i++) await deliver(10);
    await cleanup();
    for (let i = 0; i < 20; i++) await makePending();
    await next(key);
    expect((await trim("?dry_run=true")).json).toMatchObject({
      deleted: 0,
      would_delete: 17,
      pending: 19,
      target: 2,
    });
    expect(await db.post.count()).toBe(20);
    expect((await trim()).json).toEqual({ deleted: 17 });
    expect(await db.queue_entry.count({ where: { state: "pending" } })).toBe(2);
    expect(await db.queue_entry.count({ where: { state: "reserved" } })).toBe(1);
    expect((await sumsOf("total"))["trimmed"]).toBe(17);
  });

  it("counts deliveries of the present hour and of the whole hours before it", async () => {
    await addEvents("delivered", [
      [0, 1],
      [23, 10],
      [24, 100],
      [47, 1000],
      [48, 10_000],
    ]);
    expect((await trim("?lookback_days=1&dry_run=true")).json).toMatchObject({ target: 2 * 11 });
    expect((await trim("?lookback_days=2&dry_run=true")).json).toMatchObject({ target: 1111 });
  });

  it("keeps a post reserved after the selection", async () => {
    const chosen = [(await makePending({}, new Date(1000))).id, (await makePending({}, new Date(2000))).id];
    await next(key);
    expect(await db.$transaction((tx) => trimRows(tx, chosen))).toEqual({ ids: [chosen[1]], n: 1 });
    expect((await settle("ack", key, chosen[0] ?? 0)).status).toBe(204);
  });

  it("removes the excess once in parallel trims", async () => {
    await addEvents("delivered", earlier);
    await deliver(0);
    for (let i = 0; i < 60; i++) await makePending();
    const answers = await Promise.all([
      trim("?lookback_days=1"),
      trim("?lookback_days=1"),
      trim("?lookback_days=1"),
    ]);
    expect(answers.reduce((sum, answer) => sum + (answer.json.deleted as number), 0)).toBe(58);
    expect(await db.queue_entry.count()).toBe(2 + 1);
  });

  it("never goes below the target when a consumer has emptied the queue meanwhile", async () => {
    await addEvents("delivered", earlier);
    for (let i = 0; i < 5; i++) await deliver(0);
    for (let i = 0; i < 20; i++) await makePending();
    let trimmed: ReturnType<typeof trim> | undefined;
    await db.$transaction(async (tx) => {
      await lockTrim(tx);
      trimmed = trim("?lookback_days=1");
      await expect
        .poll(
          () =>
            db.$queryRaw`
              SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database AND d.datname = current_database()
               WHERE l.locktype = 'advisory' AND l.objid = 7104 AND NOT l.granted`,
          PATIENT,
        )
        .toHaveLength(1);
      for (let i = 0; i < 5; i++) await next(key);
    }, PATIENT);
    // Some of the ten chosen are reserved now; at most five may be deleted.
    expect((await trimmed)?.json.deleted).toBeLessThanOrEqual(5);
    expect(await db.queue_entry.count({ where: { state: "pending" } })).toBeGreaterThanOrEqual(10);
  });

  it("skips a post under review without waiting", async () => {
    await addEvents("delivered", earlier);
    await deliver(0);
    const { id } = await makePending();
    for (let i = 0; i < 4; i++) await makePending();
    await db.$transaction(
      async (tx) => {
        // A review locks the post first, then its entry.
        await tx.$executeRaw`SELECT 1 FROM post WHERE id = ${id} FOR UPDATE`;
        expect((await trim("?lookback_days=100")).json).toEqual({ deleted: 4 });
        await tx.$executeRaw`SELECT 1 FROM queue_entry WHERE post_id = ${id} FOR UPDATE`;
      },
      { timeout: 20_000 },
    );
    expect((await trim("?lookback_days=100")).json).toEqual({ deleted: 1 });
  });

  it("prefers old, unliked posts and prolific authors, yet spares some of them", async () => {
    const days = (n: number) => new Date(Date.now() - n * 86_400_000);
    const groups = {
      fresh: { created_at: days(0), likes: 50 },
      old: { created_at: days(30), likes: 50 },
      unliked: { created_at: days(0), likes: 0 },
    };
    const ids: Record<string, number[]> = { fresh: [], old: [], unliked: [], prolific: [] };
    for (const [name, data] of Object.entries(groups)) {
      for (let i = 0; i < 40; i++) ids[name]?.push((await makePending(data)).id);
    }
    for (let i = 0; i < 40; i++)
      ids.prolific?.push((await makePending({ ...groups.fresh, author_key: "one@x.example" })).id);
    // Of one choice, "fresh" would lead by chance once in a thousand runs.
    const chosen: number[] = [];
    for (let round = 0; round < 25; round++) chosen.push(...(await trimSampleRows(80, null)));
    const share = (name: string) => chosen.filter((id) => ids[name]?.includes(id)).length / (25 * 40);
    for (const name of ["old", "unliked", "prolific"]) {
      expect(share(name), name).toBeGreaterThan(share("fresh"));
      expect(share(name), name).toBeLessThan(1);
    }
  });
});
