import { describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { trainingRows } from "#lib/checks/training/examples-sql.ts";
import { decide, rejectPosts, type DecideOptions } from "#lib/review/decide.ts";
import { deletePosts } from "#lib/review/delete-post.ts";
import type { Verdict } from "#lib/review/state.ts";
import { makeMember, makePost } from "#tests/setup/factories.ts";

const exampleOf = (post_id: number) => db.check_example.findUnique({ where: { post_id } });

async function member(): Promise<Actor> {
  const { id, name } = await makeMember();
  return { label: name, member_id: id, key_id: null, source: "screen" };
}
async function review(actor: Actor, ids: number[], verdict: Verdict, options?: DecideOptions) {
  await inTransaction((tx) => decide(tx, actor, ids, verdict, options));
}
async function classified(data: Parameters<typeof makePost>[0] = {}) {
  const post = await makePost(data);
  await classifyPosts([post.id]);
  return post;
}

const cleanUp = (id: number) => db.$executeRaw`SELECT delete_posts(ARRAY[${id}::int], 'cleanup')`;

describe("a review", () => {
  test("makes an example with the results of the checks", async () => {
    const { id } = await classified({ hashtags: Array.from({ length: 21 }, (_, i) => `tag${i}`) });
    await review(await member(), [id], false);
    const [post, check, example] = await Promise.all([
      db.post.findUniqueOrThrow({ where: { id } }),
      db.post_check.findUniqueOrThrow({ where: { post_id: id } }),
      exampleOf(id),
    ]);
    expect(example).toMatchObject({
      rejected: true,
      reviewed_at: post.reviewed_at,
      features: check.features,
      emptied: false,
    });
    expect(check.features.length).toBeGreaterThan(10);
    expect(example?.warned).toEqual([]);
  });

  test("that is changed, undone or repeated changes the example", async () => {
    const { id } = await classified();
    const actor = await member();
    await review(actor, [id], true);
    expect(await exampleOf(id)).toMatchObject({ rejected: false });
    await review(actor, [id], false);
    const { reviewed_at } = await db.post.findUniqueOrThrow({ where: { id } });
    expect(await exampleOf(id)).toMatchObject({ rejected: true, reviewed_at });
    await review(actor, [id], null);
    expect(await exampleOf(id)).toBeNull();
    await review(actor, [id], true);
    expect(await exampleOf(id)).toMatchObject({ rejected: false });
  });

  test("by a rule makes none, and an undo back to a rule's rejection removes it", async () => {
    const { id } = await classified();
    const actor = await member();
    await inTransaction((tx) => rejectPosts(tx, actor, [id], { reason: "blocked_user" }));
    expect(await exampleOf(id)).toBeNull();
    await review(actor, [id], true);
    expect(await exampleOf(id)).toMatchObject({ rejected: false });
    await review(actor, [id], false, { undoes: true, auto_reject_reason: "blocked_user" });
    expect(await exampleOf(id)).toBeNull();
  });

  test("before the text was checked gets its features later", async () => {
    const { id } = await makePost();
    await review(await member(), [id], true);
    expect(await exampleOf(id)).toMatchObject({ features: [], warned: [] });
    await classifyPosts([id]);
    const { features } = await db.post_check.findUniqueOrThrow({ where: { post_id: id } });
    expect(await exampleOf(id)).toMatchObject({ features, warned: [] });
  });

  test.each<[string, (id: number) => Promise<unknown>]>([
    ["deleted for its author", (id) => inTransaction((tx) => deletePosts(tx, [id], "deleted"))],
    ["erased", (id) => db.$executeRaw`SELECT erase_posts(ARRAY[${id}::int])`],
    ["deleted by a plain SQL statement", (id) => db.post.delete({ where: { id } })],
  ])("is gone when the post is %s", async (_how, leave) => {
    const { id } = await classified();
    const actor = await member();
    await review(actor, [id], false);
    await leave(id);
    expect(await exampleOf(id)).toBeNull();
    await review(actor, [id], null).catch(() => undefined);
    expect(await exampleOf(id)).toBeNull();
  });
});

describe("authors", () => {
  const author = (name: string) => ({ author_username: name, author_key: `${name}@mastodon.example` });

  test("lose their examples when they opt out, emptied ones too", async () => {
    const [gone, kept, other] = [
      await classified(author("leaver")),
      await classified(author("leaver")),
      await classified(author("stayer")),
    ];
    await review(await member(), [gone.id, kept.id, other.id], true);
    await cleanUp(gone.id);
    expect(await exampleOf(gone.id)).toMatchObject({ emptied: true, features: [] });
    await inTransaction((tx) => deletePosts(tx, [kept.id], "opt_out"));
    expect([await exampleOf(gone.id), await exampleOf(kept.id)]).toEqual([null, null]);
    expect(await exampleOf(other.id)).not.toBeNull();
  });

  test("keep their examples under a new handle", async () => {
    const [deleted, stored] = [await classified(author("mover")), await classified(author("mover"))];
    const other = await classified(author("mover"));
    await review(await member(), [deleted.id, stored.id, other.id], true);
    await cleanUp(deleted.id);
    const hmacOf = async (id: number) => {
      const example = await exampleOf(id);
      return [example?.author_hmac, example?.instance_hmac].map((hmac) =>
        Buffer.from(hmac ?? []).toString("hex"),
      );
    };
    const before = await hmacOf(deleted.id);
    await db.post.update({
      where: { id: stored.id },
      data: { author_key: "mover@new.example", instance: "new.example" },
    });
    const [author_hmac, instance_hmac] = await hmacOf(stored.id);
    expect([author_hmac === before[0], instance_hmac === before[1]]).toEqual([false, false]);
    expect(await hmacOf(deleted.id)).toEqual([author_hmac, instance_hmac]);
    expect(await hmacOf(other.id)).toEqual(before);
    // A correction to another account takes none along.
    await db.post.update({ where: { id: stored.id }, data: { author_key: "else@new.example" } });
    expect(await hmacOf(deleted.id)).toEqual([author_hmac, instance_hmac]);
  });
});

describe("the reason of a rejection", () => {
  const OFF_TOPIC = 2;
  const BLURRED = 4;
  const taught = async (id: number) => {
    const example = await exampleOf(id);
    return (await trainingRows()).find((row) => row.id === example?.id);
  };

  test("is in the example, and follows a changed reason and an undo", async () => {
    const { id } = await classified();
    await review(await member(), [id], false, { reject_reason: OFF_TOPIC });
    expect(await exampleOf(id)).toMatchObject({ rejected: true, reject_reason_id: OFF_TOPIC });
    await db.post.update({ where: { id }, data: { reject_reason_id: BLURRED } });
    expect(await exampleOf(id)).toMatchObject({ reject_reason_id: BLURRED });
    await review(await member(), [id], true);
    expect(await exampleOf(id)).toMatchObject({ rejected: false, reject_reason_id: null });
  });

  test("decides what the learner learns: nothing of pictures", async () => {
    await db.reject_reason.update({ where: { id: OFF_TOPIC }, data: { about: "text" } });
    await db.reject_reason.update({ where: { id: BLURRED }, data: { about: "picture" } });
    const [text, picture, plain] = [await classified(), await classified(), await classified()];
    const actor = await member();
    await review(actor, [text.id], false, { reject_reason: OFF_TOPIC });
    await review(actor, [picture.id], false, { reject_reason: BLURRED });
    await review(actor, [plain.id], false);
    expect(await taught(text.id)).toMatchObject({ rejected: true });
    expect(await taught(picture.id)).toBeUndefined();
    expect(await taught(plain.id)).toMatchObject({ rejected: true });

    const counted = async () =>
      (await db.check_feature_count.findUnique({ where: { feature: -1 } }))?.reviewed ?? 0;
    const before = await counted();
    await cleanUp(picture.id);
    expect(await counted()).toBe(before);
    await cleanUp(text.id);
    expect(await counted()).toBe(before + 1);

    await review(actor, [plain.id], true);
    await db.reject_reason.update({ where: { id: BLURRED }, data: { about: "both" } });
  });
});
