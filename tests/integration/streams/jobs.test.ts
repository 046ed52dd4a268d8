import { beforeEach, describe, expect, test, vi } from "vitest";
import * as cleanupRoute from "#app/api/cron/cleanup/route.ts";
import * as tickRoute from "#app/api/cron/tick/route.ts";
import { db } from "#lib/base/db.ts";
import { checkWorker } from "#lib/base/http/health.ts";
import { log } from "#lib/base/log.ts";
import { claimCleanup, cleanUpNow } from "#lib/runtime/jobs/cleanup.ts";
import { jobs, type Job } from "#lib/runtime/jobs/jobs.ts";
import { prune } from "#lib/runtime/jobs/prune.ts";
import { resetIntervals, runDueWork } from "#lib/runtime/jobs/run-due-work.ts";
import { makePending, makePost, makeStream, unique } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

vi.hoisted(() => {
  process.env.CRON_SECRET = "a secret for the scheduler";
  process.env.RETENTION_DAYS = "3";
});

const cleanUpDaily = jobs.find(({ name }) => name === "clean up delivered posts") as Job;
const authorization = "Bearer a secret for the scheduler";
const limits = (ms = 20_000) => ({ deadline: new Date(Date.now() + ms) });
const DAY = 86_400_000;

beforeEach(async () => {
  resetIntervals();
  await db.stream.deleteMany();
});

async function delivered(days: number) {
  const post = await makePending();
  await db.queue_entry.update({
    where: { post_id: post.id },
    data: { state: "delivered", delivered_at: new Date(Date.now() - days * DAY) },
  });
  return post.id;
}
const ago = (days: number) => new Date(Date.now() - days * DAY);
const exists = async (id: number) => (await db.post.count({ where: { id } })) === 1;
const lastCleanup = async () => (await db.installation.findFirstOrThrow()).last_cleanup_at;
const setLastRound = (at: Date) => db.installation.updateMany({ data: { last_round_at: at } });
const setLastCleanup = (at: Date | null) => db.installation.updateMany({ data: { last_cleanup_at: at } });

function job(data: Partial<Job> = {}): Job {
  return {
    name: `job ${unique()}`,
    everyMs: 0,
    run: () => Promise.resolve({ worked: false }),
    ...data,
  };
}

describe("runDueWork", () => {
  test("runs a job no more often than its interval, and returns whether there was work", async () => {
    const run = vi.fn(() => Promise.resolve({ worked: true }));
    const hourly = job({ everyMs: 60_000, run });
    expect(await runDueWork(limits(), [hourly])).toEqual({ worked: true });
    expect(await runDueWork(limits(), [hourly])).toEqual({ worked: false });
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("runs jobs concurrently", async () => {
    const done: string[] = [];
    const slow = job({
      run: async () => {
        await expect.poll(() => done.length).toBeGreaterThan(1);
        done.push("slow");
        return { worked: false };
      },
    });
    const quick = job({
      run: () => {
        done.push("quick");
        return Promise.resolve({ worked: true });
      },
    });
    await runDueWork(limits(), [slow, quick]);
    expect(done.indexOf("slow")).toBeGreaterThan(1);
  });

  test("logs a failing job and runs the others", async () => {
    const logged = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const broken = job({ run: () => Promise.reject(new Error("broken")) });
    const run = vi.fn(() => Promise.resolve({ worked: true }));
    expect(await runDueWork(limits(), [broken, job({ run })])).toEqual({ worked: true });
    expect(run).toHaveBeenCalled();
    expect(logged).toHaveBeenCalledWith(
      expect.objectContaining({ job: broken.name }),
      "background job failed",
    );
  });

  test("throws when the database cannot be reached, and stores no end of the round", async () => {
    const before = new Date(Date.now() - DAY);
    await setLastRound(before);
    const away = Object.assign(new Error("Can't reach database server"), { code: "P1001" });
    await expect(runDueWork(limits(), [job({ run: () => Promise.reject(away) }), job()])).rejects.toBe(away);
    expect((await db.installation.findFirstOrThrow()).last_round_at).toEqual(before);
  });

  test("stops at its deadline and when its signal aborts", async () => {
    const run = vi.fn(() => Promise.resolve({ worked: true }));
    expect(await runDueWork(limits(-1), [job({ run })])).toEqual({ worked: false });
    expect(await runDueWork({ ...limits(), signal: AbortSignal.abort() }, [job({ run })])).toEqual({
      worked: false,
    });
    expect(run).not.toHaveBeenCalled();
  });

  test("stores the error and the next fetch of a stream whose host is refused", async () => {
    // Not on the allow-list, so refused without a request.
    const { id } = await makeStream({
      instance: "127.0.0.1:9",
      next_scheduled_fetch: new Date(Date.now() - 1),
    });
    expect(await runDueWork(limits())).toMatchObject({ worked: true });
    const row = await db.stream.findUniqueOrThrow({ where: { id } });
    expect(row.last_error).not.toBeNull();
    expect(row.next_scheduled_fetch?.getTime()).toBeGreaterThan(Date.now() + 60_000);
    expect(row.fetch_lease).toBeNull();
  });
});

describe("the daily cleanup", () => {
  test("is due after a missed day, and not again on the same day", async () => {
    const old = await delivered(4);
    const young = await delivered(2);
    await setLastCleanup(new Date(Date.now() - 3 * DAY));
    expect(await runDueWork(limits(), [cleanUpDaily])).toEqual({ worked: true });
    expect([await exists(old), await exists(young)]).toEqual([false, true]);
    expect((await lastCleanup())?.getTime()).toBeGreaterThan(Date.now() - 60_000);
    expect(await claimCleanup()).toBe(false);
  });

  test("runs in one of several processes", async () => {
    await setLastCleanup(null);
    const results = await Promise.all(Array.from({ length: 5 }, () => cleanUpDaily.run(limits())));
    expect(results.filter((result) => result?.worked)).toHaveLength(1);
  });

  test("stays due when it was incomplete", async () => {
    await setLastCleanup(null);
    expect(await claimCleanup()).toBe(true);
    await delivered(4);
    await cleanUpNow({ deadline: new Date(Date.now() - 1) });
    expect(await lastCleanup()).toBeNull();
  });
});

test("prune deletes expired fetch runs, links, sign-in attempts and dropped posts, and no others", async () => {
  const { id } = await makeStream();
  const runs = [await run(ago(31)), await run(ago(29))];
  function run(started_at: Date) {
    return db.fetch_run.create({ data: { stream_id: id, started_at } });
  }
  const link = (data: { expires_at: Date; used_at?: Date }) =>
    db.invitation.create({
      data: { kind: "invite", token_hash: Buffer.from(String(unique()).padStart(32, "0")), ...data },
    });
  const links = [
    await link({ expires_at: ago(8) }),
    await link({ expires_at: ago(6) }),
    await link({ expires_at: ago(-1), used_at: ago(8) }),
    await link({ expires_at: ago(-1) }),
  ];
  await db.sign_in_attempt.createMany({
    data: [
      { subject: "old", failures: 3, last_failure: ago(2) },
      { subject: "young", failures: 3 },
    ],
  });
  const buried = (n: number, dropped: boolean, at: Date) => ({
    uri_hmac: Buffer.from([n]),
    reason: "noindex",
    dropped,
    at,
  });
  await db.tombstone.deleteMany();
  await db.tombstone.createMany({
    data: [buried(1, true, ago(31)), buried(2, true, ago(29)), buried(3, false, ago(400))],
  });
  await prune();
  expect(
    (await db.tombstone.findMany({ orderBy: { uri_hmac: "asc" } })).map((each) => each.uri_hmac[0]),
  ).toEqual([2, 3]);
  expect((await db.fetch_run.findMany({ where: { stream_id: id } })).map((each) => each.id)).toEqual([
    runs[1]?.id,
  ]);
  const left = await db.invitation.findMany({ orderBy: { id: "asc" } });
  expect(left.map((each) => each.id)).toEqual([links[1]?.id, links[3]?.id]);
  expect((await db.sign_in_attempt.findMany()).map((each) => each.subject)).toEqual(["young"]);
});

test("a step of prune that fails is named, and the steps after it run", async () => {
  await db.sign_in_attempt.create({ data: { subject: "old again", failures: 3, last_failure: ago(2) } });
  await db.$executeRaw`ALTER TABLE fetch_run RENAME TO fetch_run_away`;
  try {
    await expect(prune()).rejects.toThrow(/^could not prune: fetch runs \(.*fetch_run/s);
  } finally {
    await db.$executeRaw`ALTER TABLE fetch_run_away RENAME TO fetch_run`;
  }
  expect(await db.sign_in_attempt.count({ where: { subject: "old again" } })).toBe(0);
});

describe("cron calls", () => {
  const routes = [
    ["/api/cron/tick", tickRoute],
    ["/api/cron/cleanup", cleanupRoute],
  ] as const;

  test.each(routes)("%s answers 401 without the secret", async (path, route) => {
    const attempts: Record<string, string>[] = [
      {},
      { authorization: "Bearer wrong" },
      { authorization: "Basic abc" },
      { "x-api-key": "x" },
    ];
    for (const headers of attempts) {
      const answer = await call(route.GET, { path, headers });
      expect([answer.status, answer.json]).toMatchObject([401, { detail: "Invalid cron secret" }]);
      expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="cron"');
    }
    expect((await call(route.POST, { path, method: "POST", headers: { authorization } })).status).toBe(405);
    expect((await call(route.HEAD, { path, method: "HEAD", headers: { authorization } })).status).toBe(405);
  });

  test("cleanup deletes expired posts, each time it is called", async () => {
    const old = await delivered(4);
    const young = await delivered(2);
    await setLastCleanup(new Date());
    const ask = () => call(cleanupRoute.GET, { path: "/api/cron/cleanup", headers: { authorization } });
    expect(await ask()).toMatchObject({ status: 200, json: { deleted: 1 } });
    expect(await ask()).toMatchObject({ status: 200, json: { deleted: 0 } });
    expect([await exists(old), await exists(young)]).toEqual([false, true]);
  });

  test("tick runs all due jobs; a second call has no work", async () => {
    const old = await delivered(4);
    await setLastCleanup(new Date(Date.now() - 2 * DAY));
    const post = await makePost();
    const ask = () => call(tickRoute.GET, { path: "/api/cron/tick", headers: { authorization } });
    await setLastRound(new Date(Date.now() - 2 * DAY));
    expect(await ask()).toMatchObject({ status: 200, json: { worked: true } });
    expect((await checkWorker()).last_round_age_seconds).toBeLessThan(60);
    expect(await exists(old)).toBe(false);
    expect((await db.post.findUniqueOrThrow({ where: { id: post.id } })).classified_at).not.toBeNull();
    expect(await ask()).toMatchObject({ status: 200, json: { worked: false } });
  });
});
