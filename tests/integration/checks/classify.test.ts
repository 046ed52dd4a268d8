import { describe, expect, test } from "vitest";
import { db, Prisma } from "#lib/base/db.ts";
import { classifyDue, scorePosts } from "#lib/checks/score/classify-posts.ts";
import { postTexts } from "#lib/checks/results/post-text.ts";
import { readScoreFacts, scoreTexts } from "#lib/checks/score/score-texts.ts";
import { lockSameText } from "#lib/checks/score/sql.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { claimPost, settleClaim } from "#lib/checks/verdict/later-checks.ts";
import { wordList } from "#lib/checks/words/word-list.ts";
import { editMedia, makeKey, makePost, makePosts, picture } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

let n = 0;
const ownText = () => `Text number ${++n} that is long enough to be told from all others`;
const verdictOfPost = (id: number) =>
  db.post.findUniqueOrThrow({
    where: { id },
    select: {
      ai_would_reject: true,
      ai_score: true,
      ai_reasons: true,
      text_reason: true,
      vision_category: true,
    },
  });
const looked = (porn: number) => ({
  medium: 0,
  source: "a",
  state: "done",
  error: null,
  scores: { drawing: 0, hentai: 0, neutral: 1 - porn, porn, sexy: 0 },
  engine: "model@1",
});
const hashtags = (count: number) => Array.from({ length: count }, (_, i) => `tag${i}`);
const soon = () => new Date(Date.now() + 20_000);

describe("scorePosts", () => {
  test("writes verdict, score, reasons and checks", async () => {
    const { id } = await makePost({
      hashtags: hashtags(21),
      content: "<p>https://a.example</p>",
    });
    expect(await scorePosts([id])).toEqual([id]);
    expect(await verdictOfPost(id)).toEqual({
      ai_would_reject: true,
      ai_score: 0.76,
      ai_reasons: ["The post carries 21 hashtags.", "The post is nothing but hashtags, mentions and links."],
      text_reason: "The post carries 21 hashtags.",
      vision_category: "none",
    });
    expect(await db.post.findUniqueOrThrow({ where: { id }, include: { queue_entry: true } })).toMatchObject({
      classified_at: expect.any(Date) as Date,
      ai_checks: [{ name: "rules" }, { name: "many_hashtags" }, { name: "only_tags_and_links" }],
      // A check decides nothing.
      approved: null,
      queue_entry: null,
    });
    expect(await db.post_event.count({ where: { post_id: id } })).toBe(0);
  });

  test("makes pictures due once, and again only on request", async () => {
    const { id } = await makePost({ media: [picture()] });
    const without = await makePost();
    await scorePosts([id, without.id]);
    const stateOf = (post_id: number) =>
      db.post_check.findUniqueOrThrow({
        where: { post_id },
        select: { picture_state: true, picture_attempts: true, picture_due_at: true, remote_state: true },
      });
    expect(await stateOf(id)).toMatchObject({
      picture_state: "waiting",
      picture_due_at: expect.any(Date) as Date,
    });
    expect(await stateOf(without.id)).toEqual({
      picture_state: "none",
      picture_attempts: 0,
      picture_due_at: null,
      // No chat model is set.
      remote_state: "none",
    });
    expect((await verdictOfPost(id)).vision_category).toBeNull();
    expect((await verdictOfPost(without.id)).vision_category).toBe("none");

    const pictures = [{ ...looked(0), state: "failed", scores: null, error: "It is an HTML page." }];
    await db.post_check.update({
      where: { post_id: id },
      data: { picture_state: "unavailable", picture_attempts: 5, picture_due_at: null, pictures },
    });
    await scorePosts([id]);
    expect(await stateOf(id)).toMatchObject({ picture_state: "unavailable", picture_attempts: 5 });
    expect((await verdictOfPost(id)).vision_category).toBe("unavailable");
    expect(await scorePosts([id], { again: true })).toEqual([id]);
    expect(await stateOf(id)).toMatchObject({
      picture_state: "waiting",
      picture_attempts: 0,
      picture_due_at: expect.any(Date) as Date,
    });
    expect((await verdictOfPost(id)).vision_category).toBeNull();
  });

  test("keeps results of pictures unless the pictures changed", async () => {
    const { id } = await makePost({ media: [picture()] });
    await scorePosts([id]);
    await db.post_check.update({
      where: { post_id: id },
      data: { picture_state: "done", pictures: [looked(0.8)] },
    });
    await scorePosts([id]);
    expect(await verdictOfPost(id)).toMatchObject({ vision_category: "explicit", ai_would_reject: true });
    const other = { ...picture(), url: "https://media.example/other.png" };
    await editMedia(id, [other]);
    expect(await db.post_check.findUnique({ where: { post_id: id } })).toMatchObject({
      picture_state: "waiting",
      pictures: [],
    });
    await scorePosts([id]);
    expect(await verdictOfPost(id)).toMatchObject({ vision_category: null, ai_would_reject: false });
  });

  test("delays nothing: a post whose pictures and remote checks wait is approved and handed out", async () => {
    const { id } = await makePost({ media: [picture()] });
    await scorePosts([id]);
    await db.post_check.update({ where: { post_id: id }, data: { remote_state: "waiting" } });
    expect(await db.post_check.findUniqueOrThrow({ where: { post_id: id } })).toMatchObject({
      picture_state: "waiting",
      remote_state: "waiting",
    });
    const send = sender({ key: await makeKey() });
    expect((await send(`POST posts/${id}/review`, { approved: true })).status).toBe(200);
    const next = await send("GET curated/next");
    expect(next).toMatchObject({ status: 200, json: { fenliu_post_id: id } });
  });

  test("uses the age of the account at the time of the post", async () => {
    const content = '<p><a href="https://shop.example/x">shop.example/x</a></p>';
    const post = { content, created_at: new Date("2026-03-01T12:00:00Z"), plain_text: ownText() };
    const { id } = await makePost({ ...post, author_created_at: new Date("2026-02-28T00:00:00Z") });
    await scorePosts([id]);
    expect((await verdictOfPost(id)).text_reason).toBe("The account was 1 day old when it posted this link.");
  });

  test("does not write a verdict for a post that was edited meanwhile", async () => {
    const { id } = await makePost();
    const rows = await postTexts([id]);
    await db.post.update({ where: { id }, data: { plain_text: "Something else", version: 2 } });
    expect(await db.$transaction((tx) => lockSameText(tx, rows))).toEqual(new Set());
    expect(await db.post.findUnique({ where: { id } })).toMatchObject({
      ai_would_reject: null,
      classified_at: null,
    });
  });
});

test("a post has the same score before it is stored", async () => {
  const content = '<p><a href="https://shop.example/x">shop.example/x</a></p>';
  const { id } = await makePost({ content, hashtags: hashtags(21) });
  await scorePosts([id]);
  const [post] = await postTexts([id]);
  const facts = await readScoreFacts();
  const unstored = {
    ...post!,
    uri: "https://home.example/unstored",
    created_at: post!.created_at.toString(),
  };
  const { scores } = await scoreTexts([unstored], facts);
  const verdict = judge({ ...scores[0]!, picture_state: "none", pictures: [], remote: null }, facts.settings);
  const { would_reject: ai_would_reject, score: ai_score, reasons: ai_reasons, ...rest } = verdict;
  expect(await verdictOfPost(id)).toMatchObject({
    ai_would_reject,
    ai_reasons,
    text_reason: rest.text_reason,
  });
  expect((await verdictOfPost(id)).ai_score).toBeCloseTo(ai_score, 4);
});

describe("a result of pictures", () => {
  const settle = async (porn: number) => {
    const claim = await claimPost("picture");
    const result = Prisma.sql`pictures = ${JSON.stringify([looked(porn)])}::jsonb`;
    return settleClaim("picture", claim!, { state: "done", attempts: 0, due_at: null, result });
  };

  test("is stored with the verdict about all results", async () => {
    await db.post_check.deleteMany();
    const { id } = await makePost({ media: [picture()], hashtags: hashtags(20) });
    await scorePosts([id]);
    expect(await settle(0.9)).toBe(true);
    expect(await verdictOfPost(id)).toMatchObject({
      ai_would_reject: true,
      ai_score: 0.9,
      vision_category: "explicit",
      text_reason: "The post carries 20 hashtags.",
      ai_reasons: [
        "The picture looks explicit: 90 %, the threshold is 70 %.",
        "The post carries 20 hashtags.",
      ],
    });
  });

  test("gives no verdict about a post whose text was not checked", async () => {
    const { id } = await makePost({ media: [picture()] });
    await scorePosts([id]);
    await db.post.update({ where: { id }, data: { classified_at: null } });
    expect(await settle(0.9)).toBe(true);
    expect((await verdictOfPost(id)).ai_would_reject).toBe(false);
  });

  test("is not stored of an erased post", async () => {
    const { id } = await makePost({ media: [picture()] });
    await scorePosts([id]);
    const claim = await claimPost("picture");
    await db.$executeRaw`SELECT erase_posts(ARRAY[${id}::int])`;
    const outcome = { state: "done", attempts: 0, due_at: null };
    expect(await settleClaim("picture", claim!, outcome)).toBe(false);
    expect(await db.post_check.count({ where: { post_id: id } })).toBe(0);
  });
});

describe("repeated texts", () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 4, 1, hour));

  test("vote when one author posts a text three times in 24 hours, earlier copies included", async () => {
    const plain_text = ownText();
    const make = (hour: number) => makePost({ plain_text, author_username: "loud", created_at: at(hour) });
    const [first, second] = [await make(0), await make(10)];
    await scorePosts([first.id, second.id]);
    expect((await verdictOfPost(first.id)).ai_would_reject).toBe(false);
    const third = await make(20);
    expect(await scorePosts([third.id])).toEqual([third.id]);
    await classifyDue({ limit: 1_000, deadline: soon() });
    for (const post of [first, second, third]) {
      expect(await verdictOfPost(post.id)).toMatchObject({
        ai_would_reject: true,
        ai_score: 0.7,
        ai_reasons: ["The author posted this text 3 times within 24 hours."],
      });
    }
  });

  test("leave the verdict of a reviewed copy unchanged", async () => {
    const plain_text = ownText();
    const make = (hour: number) => makePost({ plain_text, author_username: "loud", created_at: at(hour) });
    const [first, second] = [await make(0), await make(1)];
    await scorePosts([first.id, second.id]);
    await db.post.update({ where: { id: first.id }, data: { approved: true, reviewed_at: new Date() } });
    await scorePosts([(await make(2)).id]);
    await classifyDue({ limit: 1_000, deadline: soon() });
    expect((await verdictOfPost(first.id)).ai_would_reject).toBe(false);
    expect((await verdictOfPost(second.id)).ai_would_reject).toBe(true);
  });

  test("are found by index", async () => {
    await db.$executeRaw`
      INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, text_fingerprint)
      SELECT 'https://filler.example/' || n, 'u', '@u@filler.example', 'u@filler.example', 'filler.example', now(), n
        FROM generate_series(1, 2000) n`;
    await db.$executeRaw`ANALYZE post`;
    const plan = await db.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(
      `EXPLAIN SELECT id FROM post WHERE text_fingerprint = 5 AND created_at BETWEEN now() - interval '1 day' AND now()
        ORDER BY created_at DESC LIMIT 200`,
    );
    expect(plan.map((row) => row["QUERY PLAN"]).join("\n")).toContain("post_fingerprint_idx");
  });
});

test("words of the list count in the content warning, too", async () => {
  await wordList.set({ words: [{ id: 1, word: "free crypto", created_at: new Date().toISOString() }] });
  const { id } = await makePost({ plain_text: "None", spoiler_text: "Free, crypto" });
  await scorePosts([id]);
  await db.setting.deleteMany({ where: { name: "words" } });
  expect(await verdictOfPost(id)).toMatchObject({
    ai_would_reject: true,
    ai_score: 1,
    text_reason: "Word on the list: free crypto.",
  });
});

describe("classifyDue", () => {
  test("classifies unclassified posts up to its limit and returns whether more may be due", async () => {
    await classifyDue({ limit: 10_000, deadline: soon() });
    const ids = await makePosts(5);
    expect(await classifyDue({ limit: 3, deadline: soon() })).toEqual({ scored: 3, more: true });
    expect(await classifyDue({ limit: 3, deadline: new Date(0) })).toEqual({ scored: 0, more: true });
    expect(await classifyDue({ limit: 100, deadline: soon() })).toEqual({ scored: 2, more: false });
    expect(await db.post.count({ where: { id: { in: ids }, classified_at: null } })).toBe(0);
  });

  test("classifies everything when run twice at the same time", async () => {
    const ids = await makePosts(8);
    await Promise.all([1, 2].map(() => classifyDue({ limit: 100, deadline: soon() })));
    expect(await db.post.count({ where: { id: { in: ids }, classified_at: null } })).toBe(0);
  });
});
