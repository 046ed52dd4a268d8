import { expect, test } from "vitest";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { trainLearner } from "#lib/checks/training/train-learner.ts";
import { db } from "#lib/db.ts";
import { decidePosts } from "#lib/review/decide-posts.ts";
import { inTransaction } from "#lib/transaction.ts";
import { makeMember, makePost } from "#tests/setup/factories.ts";

/** Shared its slot with the author below while the hash of features was public. */
const COLLIDING_TAG = "spamxs7";
const INNOCENT = "innocent";

const walk = (n: number) => `A quiet walk along the shore of river${n} with otter${n % 7}`;
const advert = (n: number) => `Exclusive giveaway, claim prize${n} with token${n % 7}`;

test("a hashtag that was chosen to collide with an author says nothing about the author's posts", async () => {
  const { id: member_id, name } = await makeMember();
  const actor = { label: name, member_id, key_id: null, source: "screen" } as const;
  for (const approved of [true, false]) {
    const texts = Array.from({ length: 40 }, (_, n) => (approved ? walk : advert)(n));
    const posts = await Promise.all(
      texts.map((plain_text) =>
        makePost({
          plain_text,
          content: `<p>${plain_text}</p>`,
          hashtags: [approved ? "nature" : COLLIDING_TAG],
          instance: "elsewhere.example",
        }),
      ),
    );
    const ids = posts.map(({ id }) => id);
    await classifyPosts(ids);
    await inTransaction((tx) => decidePosts(tx, actor, ids, approved));
  }
  await trainLearner();
  const plain_text = "Exclusive photograph of a heron";
  const { id } = await makePost({
    plain_text,
    content: `<p>${plain_text}</p>`,
    hashtags: [],
    author_username: INNOCENT,
    author_key: `${INNOCENT}@mastodon.example`,
  });
  await classifyPosts([id]);
  const { learner_reasons } = await db.post_check.findUniqueOrThrow({ where: { post_id: id } });
  const { ai_reasons } = await db.post.findUniqueOrThrow({ where: { id } });
  expect(JSON.stringify(ai_reasons)).not.toContain("this author");
  expect(JSON.stringify(learner_reasons)).not.toContain(INNOCENT);
});
