import { beforeAll, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { pastReviewRows } from "#lib/checks/training/examples-sql.ts";
import { predictAgain } from "#lib/checks/training/predict-again.ts";
import { trainLearner } from "#lib/checks/training/train-learner.ts";
import { forgetAuthors } from "#lib/collect/forget-authors.ts";
import { decide as decidePosts, rejectPosts } from "#lib/review/decide.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import type { Verdict } from "#lib/review/state.ts";
import { makeMember, makePosts } from "#tests/setup/factories.ts";

const INSTANCE = "home.example";
const KEY = `ana@${INSTANCE}`;
let actor: { label: string; member_id: number; key_id: null; source: "screen" };
beforeAll(async () => {
  const { id, name } = await makeMember();
  actor = { label: name, member_id: id, key_id: null, source: "screen" };
});

/** Texts differ, so that they are no copies. */
let copy = 0;
async function postsBy(author: string | ((n: number) => string), count: number, text = "Heron at the weir") {
  const ids = await makePosts(count, (n) => {
    const author_username = typeof author === "string" ? author : author(n);
    const plain_text = `${text} ${++copy}`;
    const instance = ["ana", "bob"].includes(author_username) ? INSTANCE : "elsewhere.example";
    return { plain_text, content: `<p>${plain_text}</p>`, author_username, instance };
  });
  await classifyPosts(ids);
  return ids;
}
const decide = (ids: number[], verdict: Verdict) =>
  inTransaction((tx) => decidePosts(tx, actor, ids, verdict));
const remove = (ids: number[], reason: string) =>
  db.$executeRaw`SELECT delete_posts(${ids}::int[], ${reason})`;

async function counts(key = KEY, instance = INSTANCE) {
  const { authors, instances } = await pastReviewRows([key, "nobody@home.example"], [instance]);
  expect(authors.has("nobody@home.example")).toBe(false);
  const listed = (count: { reviewed: number; rejected: number } | undefined) => [
    count?.reviewed ?? 0,
    count?.rejected ?? 0,
  ];
  return { author: listed(authors.get(key)), instance: listed(instances.get(instance)) };
}

test("the reviews of an author and of an instance are counted exactly, whatever happens to them", async () => {
  const ids = await postsBy("ana", 6);
  const others = await postsBy("bob", 2);
  await decide(ids, false);
  await decide(others, true);
  expect(await counts()).toEqual({ author: [6, 6], instance: [8, 6] });
  await decide(ids.slice(0, 1), true);
  expect(await counts()).toEqual({ author: [6, 5], instance: [8, 5] });
  await decide(ids.slice(1, 2), null);
  expect(await counts()).toEqual({ author: [5, 4], instance: [7, 4] });
  await inTransaction((tx) => rejectPosts(tx, actor, ids.slice(1, 2), { reason: "bot" }));
  expect(await counts()).toEqual({ author: [5, 4], instance: [7, 4] });
  await remove(ids.slice(2, 3), "rejected");
  expect(await counts()).toEqual({ author: [5, 4], instance: [7, 4] });
  await inTransaction((tx) => deletePosts(tx, ids.slice(3, 4), "deleted"));
  expect(await counts()).toEqual({ author: [4, 3], instance: [6, 3] });
  await decide(ids.slice(4, 5), null);
  expect(await counts()).toEqual({ author: [3, 2], instance: [5, 2] });

  await db.post.updateMany({
    where: { author_key: KEY },
    data: { author_key: "ana@new.example", instance: "new.example" },
  });
  expect(await counts()).toEqual({ author: [0, 0], instance: [2, 0] });
  expect(await counts("ana@new.example", "new.example")).toEqual({ author: [3, 2], instance: [3, 2] });

  const refusal = { author_key: "ana@new.example", uri_host: "new.example", rule: "refusal_tag" } as const;
  await inTransaction((tx) => forgetAuthors(tx, [refusal]));
  expect(await counts("ana@new.example", "new.example")).toEqual({ author: [0, 0], instance: [0, 0] });
});

test("a sentence about the author has these counts, and new ones after an undo", async () => {
  const rejected = await postsBy("spammer", 8);
  await decide(rejected, false);
  await decide(await postsBy((n) => `friend${n}`, 40), true);
  await decide(await postsBy((n) => `other${n}`, 32, "Claim your prize"), false);
  await trainLearner();
  const [waiting = 0] = await postsBy("spammer", 1, "Claim your prize");
  const reasons = async () =>
    JSON.stringify((await db.post.findUniqueOrThrow({ where: { id: waiting } })).ai_reasons);
  expect(await reasons()).toContain("You rejected 8 of 8 posts by this author.");
  await decide(rejected.slice(0, 1), null);
  await decide(rejected.slice(1, 2), true);
  await trainLearner();
  await predictAgain({ deadline: new Date(Date.now() + 20_000) });
  expect(await reasons()).toContain("You rejected 6 of 7 posts by this author.");
});
