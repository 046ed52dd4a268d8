import { inspect } from "node:util";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { chatModel } from "#lib/checks/remote/sql.ts";
import { log } from "#lib/base/log.ts";
import { askRemoteChecks, isRemoteCheckDue } from "#lib/checks/remote/ask-remote-checks.ts";
import { scorePosts } from "#lib/checks/score/classify-posts.ts";
import { getChecksSettings } from "#lib/checks/score/show-checks.ts";
import { makeKey, makePost, makePosts } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";
import { scored, type RemoteAnswer } from "#tests/setup/remote-provider.ts";

const KEY = "sk-hush-0123456789";
const LIMIT = 12;

const provider = await vi.hoisted(async () => {
  const started = await (await import("#tests/setup/remote-provider.ts")).startRemoteProvider();
  Object.assign(process.env, {
    AI_BASE_URL: `${started.origin}/v1`,
    AI_API_KEY: "sk-hush-0123456789",
    AI_MODEL: "tiny-model",
    AI_DAILY_LIMIT: "12",
  });
  return started;
});
afterAll(() => provider.close());

const lines: unknown[] = [];
beforeEach(async () => {
  provider.reset();
  lines.length = 0;
  for (const level of ["debug", "info", "warn", "error", "fatal"] as const) {
    vi.spyOn(log, level).mockImplementation((...parts: unknown[]) => void lines.push(parts));
  }
  await db.post.deleteMany();
  await db.setting.deleteMany({ where: { name: "chat_model" } });
});

const ask = () => askRemoteChecks({ deadline: new Date(Date.now() + 60_000) });
const checkOf = (id: number) => db.post_check.findUniqueOrThrow({ where: { post_id: id } });
const state = () => chatModel.read();
const lineOf = async (id: number) => {
  const { ai_checks } = await db.post.findUniqueOrThrow({ where: { id } });
  return (ai_checks as { name: string; score: number | null; reason: string | null }[]).find(
    (line) => line.name === "chat_model",
  );
};
async function classified() {
  const { id } = await makePost();
  await scorePosts([id]);
  return id;
}
const makeDue = (id: number) =>
  db.post_check.update({ where: { post_id: id }, data: { remote_due_at: new Date(0) } });
const shown = async () => (await getChecksSettings()).chat_model;

/** Asks until no attempt is left. */
async function askUntilDone(id: number): Promise<void> {
  for (let attempt = 0; attempt < 10 && (await checkOf(id)).remote_state === "waiting"; attempt++) {
    await chatModel.set({ paused_until: new Date(0) });
    await makeDue(id);
    await ask();
  }
}

const host = provider.host;
const failures: [string, RemoteAnswer, string][] = [
  ["status 500", { status: 500, body: KEY }, `${host} answered 500 Internal Server Error.`],
  [
    "status 401",
    { status: 401, body: { error: `Incorrect API key provided: ${KEY}` } },
    `${host} answered 401 Unauthorized.`,
  ],
  ["status 429", { status: 429 }, `${host} answered 429 Too Many Requests.`],
  [
    "a redirect",
    { status: 307, headers: { location: "/v1/elsewhere" } },
    `${host} answered 307 Temporary Redirect.`,
  ],
];

describe("after", () => {
  test.each(failures)(
    "%s the post is asked about again, later each time, and in the end has no vote",
    async (_, answer, sentence) => {
      const id = await classified();
      provider.answer(() => answer);
      await ask();
      expect(provider.requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
      const after = await checkOf(id);
      expect(after).toMatchObject({
        remote_state: "waiting",
        remote_attempts: 1,
        remote: null,
      });
      const wait = (after.remote_due_at?.getTime() ?? 0) - Date.now();
      expect(Math.round(wait / 60_000)).toBe(1);
      expect(await lineOf(id)).toBeUndefined();
      expect(await state()).toMatchObject({ failures: 1, last_error: sentence });
      await db.post_check.update({ where: { post_id: id }, data: { remote_attempts: 5 } });
      await askUntilDone(id);
      expect(await checkOf(id)).toMatchObject({ remote_state: "failed", remote_attempts: 5 });
      expect(await lineOf(id)).toMatchObject({ score: null, reason: sentence });
      expect(await db.post.findUniqueOrThrow({ where: { id } })).toMatchObject({ ai_would_reject: false });
      expect(inspect(lines, { depth: 20 })).not.toContain("hush");
      expect(inspect([await shown(), await checkOf(id), await state()], { depth: 20 })).not.toContain("hush");
    },
  );

  test.each([
    ["text instead of JSON", "<html>busy</html>"],
    ["more than 256 KiB", { choices: [], fill: "x".repeat(300_000) }],
  ])("nonsense (%s) the post has no vote, and the reason says so", async (_, body) => {
    const id = await classified();
    provider.answer(() => ({ body }));
    await ask();
    expect(await checkOf(id)).toMatchObject({ remote_state: "failed" });
    expect(await lineOf(id)).toMatchObject({
      score: null,
      reason: expect.stringMatching(/answer|sent more/) as string,
    });
    expect((await state()).failures).toBeGreaterThan(0);
  });

  test('a refused request the post is sent again only on "Check again"', async () => {
    const id = await classified();
    provider.answer(() => ({ status: 400 }));
    await ask();
    expect(await checkOf(id)).toMatchObject({ remote_state: "failed" });
    await scorePosts([id]);
    expect(await isRemoteCheckDue()).toBe(false);
    const again = await sender({ key: await makeKey() })("POST posts/batch-score", { post_ids: [id] });
    expect(again.status).toBe(200);
    provider.answer(() => scored({ hateful: 0.2 }));
    await chatModel.set({ failures: 4 });
    await ask();
    expect(await lineOf(id)).toMatchObject({ score: 0.2 });
    expect(await state()).toMatchObject({ failures: 0, last_error: null });
  });
});

describe("five failures in a row", () => {
  test("stop all calls for ten minutes; then one more failure stops them again", async () => {
    const ids = await makePosts(8);
    await scorePosts(ids);
    provider.answer(() => ({ status: 500 }));
    await ask();
    // A call that was under way may follow the fifth.
    expect([5, 6]).toContain(provider.requests.length);
    const { paused_until } = await state();
    expect(Math.round((paused_until.getTime() - Date.now()) / 60_000)).toBe(10);
    expect(await isRemoteCheckDue()).toBe(false);
    expect(await shown()).toMatchObject({ paused_until: paused_until.toISOString() });
    const made = provider.requests.length;
    await ask();
    expect(provider.requests).toHaveLength(made);

    await chatModel.set({ paused_until: new Date(0) });
    await db.post_check.updateMany({
      where: { post_id: { in: ids.slice(1) } },
      data: { remote_due_at: new Date(Date.now() + 60_000) },
    });
    await makeDue(ids[0] ?? 0);
    await ask();
    expect(provider.requests).toHaveLength(made + 1);
    expect(await isRemoteCheckDue()).toBe(false);
  });

  test("are counted over restarts and processes, and a wait that the provider asks for is kept", async () => {
    await classified();
    provider.answer(() => ({ status: 429, headers: { "retry-after": "120" } }));
    await ask();
    const { paused_until } = await state();
    expect(Math.round((paused_until.getTime() - Date.now()) / 1000)).toBeGreaterThan(110);
    expect(await isRemoteCheckDue()).toBe(false);
  });
});

describe("the daily limit", () => {
  test("is not exceeded by concurrent processes, and the remaining posts wait for the next day", async () => {
    await scorePosts(await makePosts(LIMIT + 4));
    await Promise.all([ask(), ask(), ask()]);
    expect(provider.requests).toHaveLength(LIMIT);
    expect(await shown()).toMatchObject({
      daily_limit: LIMIT,
      waiting: 4,
      calls_today: LIMIT,
    });
    expect(await isRemoteCheckDue()).toBe(false);
    await chatModel.set({ day: "2000-01-01" });
    await db.post_check.updateMany({
      where: { remote_state: "waiting" },
      data: { remote_due_at: new Date(0) },
    });
    expect(await shown()).toMatchObject({ calls_today: 0 });
    await ask();
    expect(provider.requests).toHaveLength(LIMIT + 4);
    const posts = await db.post_check.findMany();
    expect(
      posts.every(({ remote_state, remote_attempts }) => remote_state === "done" && remote_attempts === 0),
    ).toBe(true);
  });
});

test("a post is not begun when a call could not end before the deadline", async () => {
  await classified();
  await askRemoteChecks({ deadline: new Date(Date.now() + 2_000) });
  expect(provider.requests).toEqual([]);
});
