import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { ALL } from "#lib/checks/learner/counts.ts";
import { featureId } from "#lib/checks/learner/features.ts";
import {
  chooseThreshold,
  learn,
  learner,
  pruneLearnt,
  readCounts,
  readFeatureKey,
} from "#lib/checks/learner/learn.ts";
import { classifyDue, scorePosts } from "#lib/checks/score/classify-posts.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { writeContent } from "#lib/collect/ingest-sql.ts";
import { forgetAuthors } from "#lib/collect/forget-authors.ts";
import { decide as decidePosts, type DecideOptions } from "#lib/review/decide.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import { changeRejectReason } from "#lib/review/reject-reasons.ts";
import type { Verdict } from "#lib/review/state.ts";
import { columnsWith } from "#tests/integration/consent/find-text-in-database.ts";
import { makeMember, makePosts } from "#tests/setup/factories.ts";

let actor: Actor;
beforeAll(async () => {
  const { id, name } = await makeMember();
  actor = { label: name, member_id: id, key_id: null, source: "screen" };
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE learnt, learnt_count, post_event`;
  await learner.set({ cursor: 0, learnt: 0, threshold: null });
});

const soon = () => ({ deadline: new Date(Date.now() + 20_000) });
const decide = (ids: number[], verdict: Verdict, options?: DecideOptions) =>
  inTransaction((tx) => decidePosts(tx, actor, ids, verdict, options));
const remove = (ids: number[], reason: string) =>
  db.$executeRaw`SELECT delete_posts(${ids}::int[], ${reason})`;

/** Texts differ, so that they are no copies. */
let copy = 0;
async function posts(count: number, text: string, author?: string): Promise<number[]> {
  const ids = await makePosts(count, () => {
    const plain_text = `${text} number${++copy}`;
    return {
      plain_text,
      content: `<p>${plain_text}</p>`,
      ...(author === undefined ? {} : { author_username: author, instance: "home.example" }),
    };
  });
  await scorePosts(ids);
  return ids;
}
async function decided(count: number, text: string, verdict: boolean, author?: string): Promise<number[]> {
  const ids = await posts(count, text, author);
  await decide(ids, verdict);
  await learn(soon());
  return ids;
}
const WALK = "A quiet walk along the shore";
const ADVERT = "Exclusive giveaway claim your prize";

/** Decisions that were learnt: all, of a word, and of an author. */
async function learnt(word = "heron", author = "ana@home.example"): Promise<Record<string, string>> {
  await learn(soon());
  const keys = { all: ALL, word: featureId(`word:${word}`, await readFeatureKey()), author };
  const counts = await readCounts([keys.all, keys.word], [author]);
  return Object.fromEntries(
    Object.entries(keys).map(([name, key]) => {
      const { reviewed = 0, rejected = 0 } = counts.get(key) ?? {};
      return [name, `${rejected} of ${reviewed}`];
    }),
  );
}

describe("the threshold", () => {
  const learnt = (groups: [score: number, rejected: number, approved: number][]) =>
    db.learnt.createMany({
      data: groups
        .flatMap(([score, rejected, approved]) =>
          Array.from({ length: rejected + approved }, (_, i) => ({ score, rejected: i < rejected })),
        )
        .map((row, post_id) => ({ ...row, post_id, author: -1, reviewed_at: new Date(), features: [] })),
    });

  test.each<[string, number | null, Parameters<typeof learnt>[0]]>([
    // 100 of 100, then 195 of 200 (lower bound 0.95), then 245 of 300 (0.78).
    [
      "the lowest score with enough precision",
      0.8,
      [
        [0.9, 100, 0],
        [0.8, 95, 5],
        [0.7, 50, 50],
      ],
    ],
    [
      "null when only one score in two is right",
      null,
      [
        [0.9, 50, 50],
        [0.1, 0, 50],
      ],
    ],
    [
      "null for 15 of 15, which may be luck",
      null,
      [
        [0.9, 15, 0],
        [0.1, 0, 50],
      ],
    ],
    [
      "a score that 16 of 16 reach",
      0.9,
      [
        [0.9, 16, 0],
        [0.1, 0, 50],
      ],
    ],
    [
      "never below 0.5",
      0.5,
      [
        [0.5, 100, 0],
        [0.4, 100, 0],
        [0.1, 0, 50],
      ],
    ],
  ])("is %s", async (_is, threshold, groups) => {
    await learnt(groups);
    expect(await chooseThreshold()).toBe(threshold);
  });
});

test("nothing stays under the former handle of an author, also of deleted posts", async () => {
  const ids = await decided(2, "Heron at the weir", false, "ana");
  await remove(ids.slice(0, 1), "cleanup");
  const row = await db.post.findFirstOrThrow({
    where: { id: { in: ids } },
    select: { id: true, media: true, media_count: true },
  });
  const renamed = { ...row, author_key: "ana@example.org" } as unknown as Parameters<
    typeof writeContent
  >[1][0];
  await inTransaction((tx) => writeContent(tx, [renamed], false));
  expect(await learnt()).toMatchObject({ author: "0 of 0" });
  expect(await db.learnt.count()).toBe(1);
});

test("what is learnt follows decisions, undone and changed ones, and rejections by a rule", async () => {
  const ids = await posts(3, "Heron at the weir", "ana");
  await decide(ids, false);
  expect(await learnt()).toEqual({ all: "3 of 3", word: "3 of 3", author: "3 of 3" });
  expect(await learnt()).toEqual({ all: "3 of 3", word: "3 of 3", author: "3 of 3" });
  await decide(ids.slice(0, 1), true);
  await decide(ids.slice(1, 2), null);
  expect(await learnt()).toEqual({ all: "1 of 2", word: "1 of 2", author: "1 of 2" });
  await decide(ids.slice(1, 2), false, {
    auto_reject_reason: "bot",
    action: "auto_reject",
    source: "filter",
  });
  expect(await learnt()).toEqual({ all: "1 of 2", word: "1 of 2", author: "1 of 2" });
  await decide(ids.slice(1, 2), true);
  await decide(ids.slice(1, 2), false, { undoes: true, auto_reject_reason: "blocked_user" });
  expect(await learnt()).toEqual({ all: "1 of 2", word: "1 of 2", author: "1 of 2" });
  await db.post.updateMany({ where: { id: { in: ids } }, data: { plain_text: "Edited after the decision" } });
  await decide(ids, null);
  expect(await learnt()).toEqual({ all: "0 of 0", word: "0 of 0", author: "0 of 0" });
  expect([await db.learnt.count(), await db.learnt_count.count()]).toEqual([0, 0]);
});

test("a rejection for a reason that no text shows counts for the author only, also when the reason changes", async () => {
  const ids = await posts(2, "Heron at the weir", "ana");
  const [OFF_TOPIC, BLURRED] = [2, 4];
  await db.reject_reason.update({ where: { id: BLURRED }, data: { about: "picture" } });
  await decide(ids.slice(0, 1), false, { reject_reason: OFF_TOPIC });
  await decide(ids.slice(1), false, { reject_reason: BLURRED });
  expect(await learnt()).toEqual({ all: "1 of 1", word: "1 of 1", author: "2 of 2" });
  await changeRejectReason(actor, BLURRED, { about: "both" });
  expect(await learnt()).toEqual({ all: "2 of 2", word: "2 of 2", author: "2 of 2" });
});

describe("nothing stays of a post that is", () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ["deleted for its author", (id) => inTransaction((tx) => deletePosts(tx, [id], "deleted"))],
    ["erased", (id) => db.$executeRaw`SELECT erase_posts(ARRAY[${id}::int])`],
    ["deleted by a plain SQL statement", (id) => db.post.delete({ where: { id } })],
  ])("%s", async (_how, leave) => {
    const [id = 0] = await decided(1, "Heron nightingale", false, "ana");
    expect(await columnsWith("nightingale")).toEqual(
      expect.arrayContaining(["learnt.features", "learnt_count.feature"]),
    );
    await leave(id);
    expect(await columnsWith("nightingale")).toEqual([]);
    expect(await learnt()).toEqual({ all: "0 of 0", word: "0 of 0", author: "0 of 0" });
    expect(await db.learnt_count.count()).toBe(0);
  });
});

describe("of a post that was cleaned up", () => {
  test("the decision stays, and words of three authors", async () => {
    await decided(1, "Heron", false);
    await decided(1, "Heron", true);
    const [id = 0] = await decided(1, "Heron nightingale", false, "ana");
    await remove([id], "cleanup");
    expect(await columnsWith("nightingale")).toEqual([]);
    expect(await learnt()).toEqual({ all: "2 of 3", word: "2 of 3", author: "1 of 1" });
    expect((await db.learnt.findUniqueOrThrow({ where: { post_id: id } })).features).toHaveLength(2);
    await pruneLearnt();
    expect(await learnt()).toEqual({ all: "2 of 3", word: "2 of 3", author: "1 of 1" });
  });

  test("no words stay that only its author repeated, and nothing under the name of an author who refuses", async () => {
    const ids = await decided(4, "Heron nightingale", false, "ana");
    await decided(1, "Other", true);
    await remove(ids.slice(0, 2), "cleanup");
    await db.post.updateMany({ where: { id: ids[2]! }, data: { author_key: "ana@home.example" } });
    expect(await learnt()).toMatchObject({ word: "2 of 2", author: "4 of 4" });
    const refusal = { author_key: "ana@home.example", uri_host: null, rule: "refusal_tag" } as const;
    await inTransaction((tx) => forgetAuthors(tx, [refusal]));
    expect(await columnsWith("nightingale")).toEqual([]);
    expect(await learnt()).toMatchObject({ word: "0 of 0", author: "0 of 0" });
    expect(await db.learnt.count()).toBe(1);
  });
});

describe("the advice", () => {
  const postOf = async (id: number) => db.post.findUniqueOrThrow({ where: { id } });
  const scoreOf = async (id: number) =>
    (await db.post_check.findUniqueOrThrow({ where: { post_id: id } })).learner_score ?? -1;

  test("has no vote below 30 approvals and 30 rejections, whatever an admin sets", async () => {
    await decided(29, WALK, true);
    await decided(29, ADVERT, false);
    expect((await readCheckSettings()).checks.learner).toMatchObject({ threshold: null });
    const [id = 0] = await posts(1, ADVERT);
    expect(await scoreOf(id)).toBeGreaterThan(0.5);
    expect(await postOf(id)).toMatchObject({ ai_would_reject: false, ai_score: 0, ai_reasons: [] });
  });

  test("quotes exact counts, and waiting posts get a new one after more decisions", async () => {
    for (let round = 0; round < 4; round++) {
      await remove(await decided(10, WALK, true), "cleanup");
      await decided(10, ADVERT, false, "spammer");
    }
    expect((await readCheckSettings()).checks.learner).toMatchObject({
      threshold: expect.any(Number) as number,
    });
    const [walk = 0] = await posts(1, WALK);
    const [advert = 0] = await posts(1, ADVERT, "spammer");
    expect(await scoreOf(walk)).toBeLessThan(0.2);
    expect(await scoreOf(advert)).toBeGreaterThan(0.8);
    expect((await postOf(advert)).ai_reasons).toContain("You rejected 40 of 40 posts by this author.");
    await decided(20, ADVERT, false, "spammer");
    expect((await postOf(advert)).ai_reasons).toContain("You rejected 40 of 40 posts by this author.");
    await classifyDue({ limit: 1_000, ...soon() });
    expect((await postOf(advert)).ai_reasons).toContain("You rejected 60 of 60 posts by this author.");
  });
});
