import { beforeAll, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { classifyDue, scorePosts } from "#lib/checks/score/classify-posts.ts";
import { changeChecksSettings } from "#lib/checks/settings/check-settings.ts";
import { addWord } from "#lib/checks/words/word-list.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makePost, makePosts } from "#tests/setup/factories.ts";

const classify = (limit = 1_000) => classifyDue({ limit, deadline: new Date(Date.now() + 20_000) });
const hashtags = (count: number) => Array.from({ length: count }, (_, i) => `tag${i}`);
const rejected = async () =>
  (
    await db.post.findMany({ where: { ai_would_reject: true }, select: { id: true }, orderBy: { id: "asc" } })
  ).map((post) => post.id);
const change = (update: Parameters<typeof changeChecksSettings>[1]) =>
  changeChecksSettings(servicePrincipal, update);

let many: number[];
beforeAll(async () => {
  many = await makePosts(6, { hashtags: hashtags(21) });
  await scorePosts([...many, ...(await makePosts(6))]);
});

test("a changed switch, threshold or vote changes the advice of unreviewed posts, which keep the old one until then", async () => {
  await classify();
  expect(await classify()).toEqual({ scored: 0, more: false });
  await change({ checks: [{ name: "rules", threshold: 0.6 }] });
  expect(await rejected()).toEqual([]);
  expect(await classify()).toEqual({ scored: 12, more: false });
  expect(await rejected()).toEqual(many);
  await change({ rules: [{ name: "many_hashtags", enabled: false }] });
  expect(await classify(4)).toEqual({ scored: 4, more: true });
  const fresh = await makePosts(1, { hashtags: hashtags(21) });
  // Nine; the four again when they were checked in the millisecond of the change.
  expect((await classify()).scored).toBeGreaterThanOrEqual(9);
  expect(await classify()).toEqual({ scored: 0, more: false });
  expect(await rejected()).toEqual([]);
  await change({ rules: [{ name: "many_hashtags", enabled: true }] });
  await classify();
  expect(await rejected()).toEqual([...many, ...fresh]);
});

test("reviewed posts keep the advice of their decision", async () => {
  await db.post.update({ where: { id: many[0]! }, data: { approved: true, reviewed_at: new Date() } });
  const before = await rejected();
  await change({ checks: [{ name: "rules", votes: false }] });
  await classify();
  expect(await rejected()).toEqual(before.slice(0, 1));
  await change({ checks: [{ name: "rules", votes: true, threshold: null }] });
  await classify();
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
      checked = scorePosts([id]);
      await waitForBlockedStatement();
      if (kind === "word") await addWord(servicePrincipal, { word: "wombat coin" });
      else await change({ rules: [{ name: "many_hashtags", enabled: false }] });
    }, LOCK_TIMEOUT);
    await checked;
    await classify();
    expect(await score()).toBe(kind === "word" ? 1 : 0);
  },
);
