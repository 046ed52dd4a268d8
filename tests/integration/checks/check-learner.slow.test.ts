import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { checkChanges, unchanged } from "#lib/checks/settings/check-settings.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { isTrainingDue, trainLearner } from "#lib/checks/training/train-learner.ts";
import { decide } from "#lib/review/decide.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import { makeMember, makePost, makePosts } from "#tests/setup/factories.ts";

/** Texts differ, so that they are no copies. */
const words = (n: number) => [
  ...["otter", "weir", "river", "bank", "boat"].map((word, i) => `${word}${(n * (i + 3)) % 7}`),
  `number${n}`,
  `copy${++copy}`,
];
let copy = 0;
const adverts = (n: number) => `Exclusive giveaway, claim your prize ${words(n).join(" ")}`;
const walks = (n: number) => `A quiet walk along the shore ${words(n).join(" ")}`;

const actor = async () => {
  const { id, name } = await makeMember();
  return { label: name, member_id: id, key_id: null, source: "screen" } as const;
};
/** In groups of five, a group of approvals and one of rejections in turn. */
async function review(each: number): Promise<number[]> {
  const reviewer = await actor();
  const ids: number[] = [];
  for (let from = 0; from < each; from += 5) {
    for (const approved of [true, false]) {
      const texts = Array.from({ length: Math.min(5, each - from) }, (_, i) =>
        (approved ? walks : adverts)(from + i),
      );
      const group = await makePosts(texts.length, (i) => ({
        plain_text: texts[i]!,
        content: `<p>${texts[i]}</p>`,
      }));
      await classifyPosts(group);
      await inTransaction((tx) => decide(tx, reviewer, group, approved));
      ids.push(...group);
    }
  }
  return ids;
}
const newest = () => db.check_model.findFirstOrThrow({ orderBy: { version: "desc" } });
const post = async (plain_text: string) => {
  const { id } = await makePost({ plain_text, content: `<p>${plain_text}</p>` });
  await classifyPosts([id]);
  return id;
};
const adviceOf = (id: number) =>
  db.post.findUniqueOrThrow({
    where: { id },
    select: { ai_would_reject: true, ai_score: true, ai_reasons: true, ai_checks: true },
  });
const lineOf = async (id: number) =>
  ((await adviceOf(id)).ai_checks as { name: string; score: number }[]).find(
    (line) => line.name === "learner",
  );

beforeEach(async () => {
  await db.check_example.deleteMany();
});
afterEach(async () => {
  await db.check_model.deleteMany();
  await db.setting.deleteMany({ where: { name: "checks" } });
});

test("is silent below 30 approvals and 30 rejections, whatever an admin sets", async () => {
  await review(29);
  expect(await trainLearner()).toBe(1);
  expect(await newest()).toMatchObject({
    threshold: null,
    examples: 58,
    metrics: { ready: false, approvals: 29 },
  });
  await checkChanges.set({ learner: { ...unchanged, votes: true, threshold: 0.01 } });
  expect((await readCheckSettings()).checks.learner.votes).toBe(false);
  const id = await post(adverts(99));
  expect(await lineOf(id)).toMatchObject({ version: "1", votes: false, score: expect.any(Number) as number });
  expect(await adviceOf(id)).toMatchObject({ ai_would_reject: false, ai_score: 0, ai_reasons: [] });
});

describe("after 60 reviews of each kind", () => {
  test("the same history gives the same model, an undone review and a deleted post another", async () => {
    const ids = await review(20);
    const hashes: unknown[] = [];
    const train = async () => {
      await db.check_model.deleteMany();
      await trainLearner();
      hashes.push(((await newest()).metrics as { state_hash: string }).state_hash);
    };
    await train();
    await train();
    const reviewer = await actor();
    await inTransaction((tx) => decide(tx, reviewer, ids.slice(7, 8), null));
    await train();
    await inTransaction((tx) => decide(tx, reviewer, ids.slice(7, 8), true));
    await inTransaction((tx) => deletePosts(tx, ids.slice(7, 8), "deleted"));
    await train();
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
    // As if it had never been reviewed.
    expect(hashes[3]).toBe(hashes[2]);
  });
});

describe("training is due", () => {
  const age = (minutes: number) =>
    db.check_model.updateMany({ data: { created_at: new Date(Date.now() - minutes * 60_000) } });

  test("after ten new reviews and ten minutes, and every night", async () => {
    await review(4);
    expect(await isTrainingDue()).toBe(false);
    await review(1);
    expect(await isTrainingDue()).toBe(true);
    await trainLearner();
    await review(5);
    expect(await isTrainingDue()).toBe(false);
    await age(9);
    expect(await isTrainingDue()).toBe(false);
    await age(11);
    expect(await isTrainingDue()).toBe(true);
    await trainLearner();
    await review(4);
    await age(11);
    expect(await isTrainingDue()).toBe(false);
    await age(24 * 60 + 1);
    expect(await isTrainingDue()).toBe(true);
  });

  test("and an unchanged history stores no new model", async () => {
    await review(10);
    expect(await trainLearner()).toBe(1);
    await age(24 * 60 + 1);
    expect(await trainLearner()).toBeNull();
    expect(await isTrainingDue()).toBe(false);
    expect(await db.check_model.count()).toBe(1);
  });
});
