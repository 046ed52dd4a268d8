import { beforeEach, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { featureId } from "#lib/checks/learner/features.ts";
import { placeOf } from "#lib/checks/learner/model.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { emptiedCounts } from "#lib/checks/training/emptied-sql.ts";
import { MAX_EXAMPLES } from "#lib/checks/training/examples-sql.ts";
import { readFeatureKey, readModel } from "#lib/checks/training/learner-model.ts";
import { isTrainingDue, trainLearner } from "#lib/checks/training/train-learner.ts";
import { decide } from "#lib/review/decide.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import type { Verdict } from "#lib/review/state.ts";
import { columnsWith } from "#tests/integration/consent/find-text-in-database.ts";
import { makeKey, makeMember, makePosts } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

beforeEach(async () => {
  await db.check_example.deleteMany();
  await db.check_model.deleteMany();
  await db.check_feature_count.deleteMany({ where: { feature: { not: -1 } } });
  await db.check_feature_count.updateMany({ data: { reviewed: 0, rejected: 0 } });
});

async function review(ids: number[], verdict: Verdict) {
  const { id: member_id, name } = await makeMember();
  const actor = { label: name, member_id, key_id: null, source: "screen" } as const;
  await inTransaction((tx) => decide(tx, actor, ids, verdict));
}

async function reviewed(texts: readonly string[], verdict: boolean, author = {}): Promise<number[]> {
  const ids = await makePosts(texts.length, (i) => ({
    plain_text: texts[i]!,
    content: `<p>${texts[i]}</p>`,
    ...author,
  }));
  await classifyPosts(ids);
  await review(ids, verdict);
  return ids;
}

let copy = 0;
/** Texts differ, so that they are no copies. */
const walks = (n: number) => Array.from({ length: n }, () => `A quiet walk along the shore, copy${++copy}`);
const adverts = (n: number) =>
  Array.from({ length: n }, () => `Exclusive giveaway, claim your prize, copy${++copy}`);

async function remove(id: number) {
  expect((await sender({ key: await makeKey() })(`DELETE posts/${id}`)).status).toBe(204);
}
const cleanUp = (ids: number[]) => db.$executeRaw`SELECT delete_posts(${ids}::int[], 'cleanup')`;
const passTime = () => db.$executeRaw`UPDATE check_model SET created_at = created_at - interval '11 minutes'`;

/** Words of a list that the newest model knows. */
async function wordsInModel(words: readonly string[]): Promise<string[]> {
  const [model, key] = [await readModel(), await readFeatureKey()];
  return words.filter((word) => model !== null && placeOf(model.state, featureId(`word:${word}`, key)) >= 0);
}

const sentence = "confess yesterday evening neighbour whispered forbidden nightingale".split(" ");

describe("after a person deleted a post", () => {
  test("no word of it can be tested in any column, and the next training forgets them", async () => {
    await reviewed(walks(5), true);
    await reviewed(adverts(5), false);
    const [id = 0] = await reviewed([sentence.join(" ")], false);
    await trainLearner();
    expect(await wordsInModel(sentence)).toEqual(sentence);
    expect(await columnsWith("nightingale")).toEqual(
      expect.arrayContaining(["check_example.features", "post_check.features", "post.plain_text"]),
    );
    await remove(id);
    for (const word of sentence) expect(await columnsWith(word)).toEqual([]);
    expect(await db.check_example.findUnique({ where: { post_id: id } })).toBeNull();
    await passTime();
    expect(await isTrainingDue()).toBe(true);
    await trainLearner();
    expect(await wordsInModel([...sentence, "giveaway"])).toEqual(["giveaway"]);
    expect(await isTrainingDue()).toBe(false);
  });

  test("an earlier model has no weights that could be compared with", async () => {
    await reviewed(walks(5), true);
    await reviewed(adverts(5), false);
    await trainLearner();
    await reviewed(adverts(5), false);
    await trainLearner();
    const models = await db.check_model.findMany({ orderBy: { version: "asc" } });
    expect(models.map(({ state }) => state.length > 0)).toEqual([false, true]);
  });
});

describe("after a post was cleaned up", () => {
  test("its example keeps the decision, and words that three authors use are counted", async () => {
    await reviewed(walks(4), true);
    await reviewed(adverts(4), false);
    const [id = 0] = await reviewed([`giveaway shore ${sentence.join(" ")}`], false);
    await trainLearner();
    const before = await db.check_example.findUniqueOrThrow({ where: { post_id: id } });
    await cleanUp([id]);
    const after = await db.check_example.findUniqueOrThrow({ where: { post_id: id } });
    expect(after).toEqual({ ...before, features: [], emptied: true });
    for (const word of sentence) expect(await columnsWith(word)).toEqual([]);
    const { posts, features } = await emptiedCounts();
    expect(posts).toEqual({ reviewed: 1, rejected: 1 });
    const key = await readFeatureKey();
    for (const word of ["giveaway", "shore"])
      expect(features.get(featureId(`word:${word}`, key))).toEqual({ reviewed: 1, rejected: 1 });
    expect(features.get(featureId("word:prize", key))).toEqual({ reviewed: 0, rejected: 0 });
  });

  test("words that only its author repeated are not counted", async () => {
    await reviewed(walks(4), true);
    const repeated = [1, 2, 3, 4].map((n) => `giveaway ${sentence.join(" ")} ${n}`);
    const ids = await reviewed(repeated, false, { author_username: "repeater" });
    await trainLearner();
    await cleanUp(ids.slice(0, 2));
    await trainLearner();
    await inTransaction((tx) => deletePosts(tx, ids.slice(2), "opt_out"));
    for (const word of sentence) expect(await columnsWith(word)).toEqual([]);
    expect(await db.check_example.count({ where: { post_id: { in: ids } } })).toBe(0);
  });

  test("the learner still tells posts apart and votes, when all approved ones are gone at once", async () => {
    for (let round = 0; round < 4; round++) {
      const ids = await reviewed(walks(10), true);
      await reviewed(adverts(10), false);
      await trainLearner();
      await cleanUp(ids);
    }
    await trainLearner();
    expect(await db.check_example.count({ where: { rejected: false, features: { isEmpty: false } } })).toBe(
      0,
    );
    expect((await readCheckSettings()).checks.learner).toMatchObject({ votes: true });
    const texts = [...walks(1), ...adverts(1)];
    const [walk = 0, advert = 0] = await makePosts(2, (i) => ({ plain_text: texts[i]! }));
    await classifyPosts([walk, advert]);
    const scoreOf = async (id: number) =>
      (await db.post_check.findUniqueOrThrow({ where: { post_id: id } })).learner_score ?? -1;
    expect(await scoreOf(walk)).toBeLessThan(0.2);
    expect(await scoreOf(advert)).toBeGreaterThan(0.8);
  });

  test("old counts lose half of their weight, and words without a count are dropped", async () => {
    await reviewed(walks(4), true);
    const ids = await reviewed(adverts(4), false);
    await trainLearner();
    await db.check_feature_count.update({
      where: { feature: -1 },
      data: { reviewed: MAX_EXAMPLES + 1, rejected: 7 },
    });
    await review(ids, null);
    await trainLearner();
    expect((await emptiedCounts()).posts).toEqual({ reviewed: (MAX_EXAMPLES - 6) / 2 + 3, rejected: 3 });
    const key = await readFeatureKey();
    const { features } = await emptiedCounts();
    expect(features.has(featureId("word:shore", key))).toBe(true);
    expect(features.has(featureId("word:prize", key))).toBe(false);
  });

  test("cleanups wait for each other before they count", async () => {
    const ids = await reviewed(adverts(4), false);
    await inTransaction(async (tx) => {
      await tx.$executeRaw`SELECT empty_examples(${ids}::int[])`;
      const locks = await tx.$queryRaw`
        SELECT objid::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`;
      expect(locks).toEqual([{ objid: 7106 }]);
    });
    expect((await emptiedCounts()).posts).toEqual({ reviewed: 4, rejected: 4 });
  });
});
