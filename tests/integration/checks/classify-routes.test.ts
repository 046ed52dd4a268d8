import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "#lib/accounts/route.ts";
import { db } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { classifyDue, scorePosts } from "#lib/checks/score/classify-posts.ts";
import { ClassifyWordCreate } from "#lib/checks/words/word-list.ts";
import { addWord, listWords, removeWord } from "#lib/checks/words/word-list.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { makeKey, makePost, picture } from "#tests/setup/factories.ts";
import { outcome, sender, type Send } from "#tests/setup/operations.ts";

let send: Send;

beforeAll(async () => {
  send = sender({ key: await makeKey() });
});

const hashtags = (count: number) => Array.from({ length: count }, (_, i) => `tag${i}`);

describe("POST /posts/batch-score", () => {
  const post = (body: unknown) => send("POST posts/batch-score", body);

  test("classifies each post once and returns unknown ids", async () => {
    const { id } = await makePost({
      hashtags: hashtags(20),
      ai_would_reject: true,
      classified_at: new Date(0),
    });
    const answer = await post({ post_ids: [id, 2_147_483_647, id, -4, 99_999_999_999] });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ scored: 1, queued: 0, not_found: [2_147_483_647, -4, 99_999_999_999] });
    expect(await db.post.findUnique({ where: { id } })).toMatchObject({ ai_would_reject: false });
    expect((await post({ post_ids: [id] })).json).toEqual({ scored: 1, queued: 0, not_found: [] });
  });

  test("counts the posts whose pictures or remote checks are still to be checked", async () => {
    const [plain, waiting, asked, done] = [
      await makePost(),
      await makePost({ media: [picture()] }),
      await makePost(),
      await makePost({ media: [picture()] }),
    ];
    const post_ids = [plain, waiting, asked, done].map(({ id }) => id);
    expect((await post({ post_ids })).json).toEqual({ scored: 4, queued: 2, not_found: [] });
    await db.post_check.update({ where: { post_id: asked.id }, data: { remote_state: "waiting" } });
    await db.post_check.update({ where: { post_id: done.id }, data: { picture_state: "done" } });
    expect((await post({ post_ids })).json).toEqual({ scored: 4, queued: 2, not_found: [] });
    await db.post_check.update({ where: { post_id: waiting.id }, data: { picture_state: "done" } });
    expect((await post({ post_ids })).json).toEqual({ scored: 4, queued: 1, not_found: [] });
  });
});

const get = (id: number) => send<ShownPost>(`GET posts/${id}`);

describe("the checks of GET /posts/{id}", () => {
  test("returns raw scores of pictures", async () => {
    const { id } = await makePost({ ai_would_reject: false, media: [picture()] });
    const scores = { drawing: 0.1, hentai: 0.1, neutral: 0.5, porn: 0.2, sexy: 0.1 };
    const read = { medium: 0, state: "done", error: null, scores, engine: "mid" };
    const unread = { ...read, medium: 1, state: "failed", error: "not a picture", scores: null };
    await db.post_check.create({
      data: {
        post_id: id,
        learner_score: 0.2,
        picture_state: "done",
        pictures: [
          { ...read, source: "key" },
          { ...unread, source: "other" },
        ],
      },
    });
    const { json } = await get(id);
    expect(json).toMatchObject({
      checks: [
        { name: "rules", version: "1" },
        { name: "learner", version: "1" },
        { name: "picture_explicit", score: 0.3 },
        { name: "picture_suggestive" },
      ],
    });
    expect(json.picture_scores).toEqual([read, unread]);
  });
});

describe("the word list", () => {
  const post = (body: unknown) =>
    outcome(async () => addWord(servicePrincipal, parse(ClassifyWordCreate, body, "body")));
  const remove = (id: number) => outcome(() => removeWord(servicePrincipal, id));

  test("adds, lists and removes a word", async () => {
    const added = await post({ word: " Free  Crypto " });
    expect(added).toMatchObject({ status: 200, json: { word: "Free  Crypto" } });
    expect(await listWords()).toContainEqual(added.json);
    expect((await remove(added.json.id)).status).toBe(200);
    expect(await remove(added.json.id)).toMatchObject({ status: 404, json: { detail: "Word not found" } });
    expect((await post({ word: "!?" })).status).toBe(422);
    expect(
      await db.audit_event.findMany({ where: { subject: "Free  Crypto" }, orderBy: { id: "asc" } }),
    ).toMatchObject([{ action: "classify_word.create" }, { action: "classify_word.delete" }]);
  });

  test("refuses the same word", async () => {
    expect((await post({ word: "airdrop" })).status).toBe(200);
    expect(await post({ word: "AirDrop!" })).toMatchObject({
      status: 409,
      json: { detail: "This word is already on the list" },
    });
    const racing = await Promise.all([1, 2, 3].map(() => post({ word: "raced" })));
    expect(racing.map((answer) => answer.status).sort()).toEqual([200, 409, 409]);
  });

  describe("on unreviewed posts", () => {
    async function waiting(plain_text: string, data: Parameters<typeof makePost>[0] = {}) {
      const { id } = await makePost({ plain_text, content: `<p>${plain_text}</p>`, ...data });
      await scorePosts([id]);
      return id;
    }
    const adviceOn = async (ids: readonly number[]) => {
      while ((await classifyDue({ limit: 200, deadline: new Date(Date.now() + 60_000) })).more);
      const rows = await db.post.findMany({ where: { id: { in: [...ids] } }, orderBy: { id: "asc" } });
      return rows.map((row) => row.ai_would_reject);
    };

    test("a word acts when it is added and when it is removed", async () => {
      const ids = [
        await waiting("Try the Quokka-coin, now!"),
        await waiting("The quokkas coined it"),
        await waiting("quokka coin", { approved: true, reviewed_at: new Date() }),
      ];
      expect(await adviceOn(ids)).toEqual([false, false, false]);
      const added = await post({ word: "QUOKKA coin" });
      expect(await adviceOn(ids)).toEqual([true, false, false]);
      await remove(added.json.id);
      expect(await adviceOn(ids)).toEqual([false, false, false]);
    });
  });
});
