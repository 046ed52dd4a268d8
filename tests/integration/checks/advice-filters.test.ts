import { beforeAll, describe, expect, test } from "vitest";
import { db } from "#lib/base/db.ts";
import { learn } from "#lib/checks/learner/learn.ts";
import { isUnsure } from "#lib/client/desk/unsure.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { Post, PostList } from "#lib/review/post-schema.ts";
import { makeKey, makePost, makePosts, makeStream, picture } from "#tests/setup/factories.ts";
import { sender, type Send } from "#tests/setup/operations.ts";

let send: Send;
beforeAll(async () => {
  send = sender({ key: await makeKey() });
});

const list = async (query: string) => (await send<PostList>(`GET posts?${query}&limit=500`)).json;
const idsOf = async (query: string) => (await list(query)).items.map((post) => post.id).sort((a, b) => a - b);
const show = async (id: number) => (await send<Post>(`GET posts/${id}`)).json;

describe("ai_result", () => {
  test("unsure finds the posts whose badge says so", async () => {
    const stream = await makeStream();
    const scores = [null, 0, 0.349, 0.35, 0.5, 0.65, 0.651, 1];
    const categories = [null, "none", "uncertain", "unavailable", "explicit"];
    await makePosts(3 * scores.length * categories.length, (i) => ({
      ai_would_reject: [true, false, null][i % 3],
      ai_score: scores[Math.floor(i / 3) % scores.length],
      vision_category: categories[Math.floor(i / 3 / scores.length)],
      stream_id: stream.id,
    }));
    const all = (await list(`stream_id=${stream.id}`)).items;
    expect(all).toHaveLength(120);
    const unsure = all.filter(isUnsure).map((post) => post.id);
    expect(unsure).toHaveLength(20);
    expect(await idsOf(`stream_id=${stream.id}&ai_result=unsure`)).toEqual(unsure.sort((a, b) => a - b));
  });

  test("not_checked finds posts without a result", async () => {
    const stream = await makeStream();
    const waiting = await makePost({ stream_id: stream.id });
    await makePost({ stream_id: stream.id, ai_would_reject: false });
    expect(await idsOf(`stream_id=${stream.id}&ai_result=not_checked`)).toEqual([waiting.id]);
  });
});

test("warned_by finds the decided posts that a check was over its threshold of", async () => {
  const stream = await makeStream();
  const over = { name: "rules", score: 0.8, threshold: 0.7 };
  const under = { name: "learner", score: 0.2, threshold: 0.7 };
  const part = { name: "many_hashtags", score: 0.8, threshold: null };
  const decided = async (approved: boolean, ai_checks: object[]) => {
    const { id } = await makePost({ stream_id: stream.id, ai_checks });
    await send(`PATCH posts/${id}`, { approved });
    return id;
  };
  const rejected = await decided(false, [under, over, part]);
  const approved = await decided(true, [over]);
  await decided(false, [under]);
  await makePost({ stream_id: stream.id, ai_checks: [over] });
  await learn({ deadline: new Date(Date.now() + 20_000) });
  // Another result after the decision changes nothing.
  await db.post.update({ where: { id: rejected }, data: { ai_checks: [] } });
  const found = (more: string) => idsOf(`stream_id=${stream.id}&${more}`);
  expect(await found("warned_by=rules")).toEqual([rejected, approved]);
  expect(await found("warned_by=rules&approved=false")).toEqual([rejected]);
  expect(await found("warned_by=learner")).toEqual([]);
  const deck = await send<Deck>("GET review/deck?warned_by=rules");
  expect(deck.json).toMatchObject({ items: [], remaining: 0 });
  expect((await send("GET posts?warned_by=nothing")).status).toBe(422);
});

describe("fields of a post", () => {
  test.each([
    ["sensitive", { sensitive: true }, true],
    ["with a content warning", { spoiler_text: "blood" }, true],
    ["of an uncertain picture", { vision_category: "uncertain" }, true],
    ["of a neutral picture", { vision_category: "neutral" }, false],
    ["with an explicit score of 0.30", { ai_checks: [{ name: "picture_explicit", score: 0.3 }] }, true],
    ["with an explicit score of 0.29", { ai_checks: [{ name: "picture_explicit", score: 0.29 }] }, false],
    ["with another check's score", { ai_checks: [{ name: "learner", score: 0.9 }] }, false],
    ["without media", { sensitive: true, media: [] }, false],
  ])("media_covered, %s", async (_name, data, covered) => {
    const { id } = await makePost({ media: [picture()], ...data });
    expect((await show(id)).media_covered).toBe(covered);
  });

  test("pictures_waiting while the picture check of an unreviewed post waits", async () => {
    const { id } = await makePost({ media: [picture()] });
    expect((await show(id)).pictures_waiting).toBe(false);
    await db.post_check.create({ data: { post_id: id, picture_state: "waiting" } });
    expect((await show(id)).pictures_waiting).toBe(true);
    await db.post_check.update({ where: { post_id: id }, data: { picture_state: "done" } });
    expect((await show(id)).pictures_waiting).toBe(false);
  });
});
