import { beforeAll, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkChanges, unchanged } from "#lib/checks/settings/check-settings.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { changeChecksSettings } from "#lib/checks/settings/change-check-settings.ts";
import { advanceJob, openJob } from "#lib/checks/verdict/jobs-sql.ts";
import { rejudgeAll } from "#lib/checks/verdict/rejudge.ts";
import { addWord } from "#lib/checks/words/word-list.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makePost, makePosts } from "#tests/setup/factories.ts";

const soon = () => ({ deadline: new Date(Date.now() + 20_000) });
const hashtags = (count: number) => Array.from({ length: count }, (_, i) => `tag${i}`);
const rejected = async () =>
  (
    await db.post.findMany({ where: { ai_would_reject: true }, select: { id: true }, orderBy: { id: "asc" } })
  ).map((post) => post.id);

let many: number[];
beforeAll(async () => {
  many = await makePosts(6, { hashtags: hashtags(21) });
  await classifyPosts([...many, ...(await makePosts(6))]);
  // The text is not read again: without hashtags a run of the rule would find nothing.
  await db.post.updateMany({ data: { hashtags: [] } });
  await rejudgeAll(soon());
});

test("a changed switch, threshold or vote changes the verdicts of all posts that it concerns", async () => {
  expect(await rejected()).toEqual([]);
  expect(await rejudgeAll(soon())).toEqual({ changed: 0, more: false });
  const change = (update: Parameters<typeof changeChecksSettings>[1]) =>
    changeChecksSettings(servicePrincipal, update);
  await change({ checks: [{ name: "rules", threshold: 0.6 }] });
  expect(await rejudgeAll(soon())).toEqual({ changed: 6, more: false });
  expect(await rejected()).toEqual(many);
  await change({ rules: [{ name: "many_hashtags", enabled: false }] });
  expect(await rejudgeAll(soon())).toEqual({ changed: 6, more: false });
  expect(await rejected()).toEqual([]);
  await change({ rules: [{ name: "many_hashtags", enabled: true }] });
  expect(await rejudgeAll(soon())).toEqual({ changed: 6, more: false });
  await change({ checks: [{ name: "rules", threshold: 0.55 }] });
  expect(await rejudgeAll(soon())).toEqual({ changed: 0, more: false });
  await change({ checks: [{ name: "rules", votes: false }] });
  expect(await rejudgeAll(soon())).toEqual({ changed: 6, more: false });
  expect(await rejected()).toEqual([]);
  await db.setting.deleteMany({ where: { name: "checks" } });
});

test("reviewed posts get the new advice and keep their decision; unchecked posts have none", async () => {
  const [reviewed = 0, unchecked = 0] = many;
  await db.post.update({ where: { id: reviewed }, data: { approved: true, reviewed_at: new Date() } });
  await db.post.update({ where: { id: unchecked }, data: { classified_at: null } });
  await checkChanges.set({ rules: { ...unchanged, threshold: 0.6 } });
  await rejudgeAll(soon());
  expect(await rejected()).toEqual(many.filter((id) => id !== unchecked));
  expect(await db.post.findUnique({ where: { id: reviewed } })).toMatchObject({ approved: true });
  await db.post.update({ where: { id: unchecked }, data: { classified_at: new Date() } });
  await db.setting.deleteMany({ where: { name: "checks" } });
  await rejudgeAll(soon());
});

test("work that was stopped goes on where it was, and begins again for newer settings", async () => {
  await rejudgeAll(soon());
  await checkChanges.set({ rules: { ...unchanged, threshold: 0.6 } });
  expect(await rejudgeAll({ deadline: new Date(0) })).toEqual({ changed: 0, more: true });
  const { key } = await db.check_job.findUniqueOrThrow({ where: { name: "rejudge" } });
  const job = await openJob("rejudge", key);
  expect(job).toEqual({ name: "rejudge", key, done_from: null });
  // As after a first batch.
  expect(await advanceJob(job!, many[3]!)).toBe(true);
  expect(await advanceJob(job!, many[1]!)).toBe(false);
  await rejudgeAll(soon());
  expect(await rejected()).toEqual(many.slice(0, 3));
  await checkChanges.set({ rules: { ...unchanged, threshold: 0.59 } });
  expect(await rejudgeAll(soon())).toEqual({ changed: 3, more: false });
  expect(await advanceJob(job!, null)).toBe(false);
});

test.each(["word", "switch"] as const)(
  "a %s that changes while a post is checked counts for it",
  async (kind) => {
    const score = async () => (await db.post.findUniqueOrThrow({ where: { id } })).ai_score;
    const { id } = await makePost({
      hashtags: hashtags(21),
      plain_text: kind === "word" ? "Buy a wombat coin" : "Good morning",
    });
    let checked: Promise<unknown> | undefined;
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM post WHERE id = ${id} FOR UPDATE`;
      checked = classifyPosts([id]);
      await waitForBlockedStatement();
      if (kind === "word") await addWord(servicePrincipal, { word: "wombat coin" });
      else
        await changeChecksSettings(servicePrincipal, { rules: [{ name: "many_hashtags", enabled: false }] });
      await rejudgeAll(soon());
    }, LOCK_TIMEOUT);
    await checked;
    expect(await score()).toBe(kind === "word" ? 1 : 0);
  },
);
