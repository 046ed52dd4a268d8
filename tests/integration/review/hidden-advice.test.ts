import { beforeAll, describe, expect, test } from "vitest";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as approvePost } from "#app/api/v1/posts/[id]/approve/route.ts";
import { GET as getScore } from "#app/api/v1/posts/[id]/score/route.ts";
import { GET as listPosts } from "#app/api/v1/posts/route.ts";
import { POST as postBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as postDecisions } from "#app/api/v1/review/decisions/route.ts";
import { DELETE as releaseDeck, GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import type { Score } from "#lib/checks/score/schema.ts";
import { db } from "#lib/db.ts";
import { isBlindSql } from "#lib/posts/hidden-advice.ts";
import type { Post, PostList } from "#lib/posts/schema.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import { isBlind } from "#lib/review/hide-advice.ts";
import { recentDecisions } from "#lib/review/log.ts";
import { makeKey, makeMember, makePost, makeStream, picture } from "#tests/setup/factories.ts";
import { call, sessionHeaders, type RouteHandler } from "#tests/setup/request.ts";

/* One post in ten: the desk shows members the advice of the checks only after the decision. */

let lastId = 1_000_000;
function nextId(blind: boolean): number {
  do lastId += 1;
  while (isBlind(lastId) !== blind);
  return lastId;
}

let session: Record<string, string>;
let memberId: number;
let key: string;

beforeAll(async () => {
  const member = await makeMember("reviewer");
  memberId = member.id;
  session = await sessionHeaders(member);
  key = await makeKey();
});

const checks = [
  {
    name: "rules",
    kind: "text",
    version: "1",
    score: 0.9,
    threshold: 0.7,
    votes: true,
    reason: "Ten links.",
  },
];
const rejected = {
  ai_would_reject: true,
  ai_score: 0.9,
  ai_reasons: ["Ten links."],
  ai_checks: checks,
  text_reason: "Ten links.",
  vision_category: "explicit",
  vision_confidence: 0.8,
  classified_at: new Date(),
  media: [picture()],
};
const nothing = {
  ai_would_reject: null,
  ai_score: null,
  ai_reasons: [],
  text_reason: null,
  vision_category: null,
  vision_confidence: null,
};
const shown = { ai_would_reject: true, ai_score: 0.9, vision_category: "explicit" };

const blindPost = (data: Parameters<typeof makePost>[0] = {}) =>
  makePost({ ...rejected, id: nextId(true), ...data });
const openPost = (data: Parameters<typeof makePost>[0] = {}) =>
  makePost({ ...rejected, id: nextId(false), ...data });

function send<T>(handler: RouteHandler, path: string, body?: unknown, as: "member" | "key" = "member") {
  const id = /\/posts\/(\d+)/.exec(path)?.[1];
  const method = body === undefined ? {} : { method: "POST", body };
  const caller = as === "member" ? { headers: session } : { key };
  return call<T>(handler, {
    path: `/api/v1${path}`,
    ...method,
    ...caller,
    ...(id ? { params: { id } } : {}),
  });
}
const decide = async (post_id: number, decision: string, id = crypto.randomUUID()) =>
  (
    await send<{ results: DecisionResult[] }>(postDecisions, "/review/decisions", {
      decisions: [{ id, post_id, decision }],
    })
  ).json.results[0] as DecisionResult;

async function deckOf(query: string, as: "member" | "key" = "member"): Promise<Deck> {
  const { json } = await send<Deck>(getDeck, `/review/deck?${query}`, undefined, as);
  await send(releaseDeck, "/review/deck", undefined, as);
  return json;
}
async function cardOf(data: Parameters<typeof makePost>[0] = {}, as: "member" | "key" = "member") {
  const stream = await makeStream();
  await (data.id === undefined ? blindPost : makePost)({ ...data, stream_id: stream.id });
  return (await deckOf(`stream_id=${stream.id}`, as)).items[0] as DeckCard;
}

test("queries compute the same tenth as the desk", async () => {
  const rows = await db.$queryRaw<{ id: number; blind: boolean }[]>`
    SELECT p.id, ${isBlindSql} AS blind FROM (
      SELECT generate_series(1, 20000) AS id UNION ALL SELECT 2147483647 - n FROM generate_series(0, 999) n) p`;
  expect(rows.filter(({ id, blind }) => isBlind(id) !== blind)).toEqual([]);
  const share = rows.filter(({ blind }) => blind).length / rows.length;
  expect(share).toBeGreaterThan(0.095);
  expect(share).toBeLessThan(0.105);
});

describe("before the decision", () => {
  test("the desk of a member shows no advice", async () => {
    const card = await cardOf();
    expect(card).toMatchObject({ ...nothing, advice_hidden: true });
    expect(JSON.stringify(card)).not.toContain("Ten links");
  });

  test("the list, the post and its score show it", async () => {
    const stream = await makeStream();
    const { id } = await blindPost({ stream_id: stream.id });
    await db.post_check.create({ data: { post_id: id, rules: [] } });
    const { json: list } = await send<PostList>(listPosts, `/posts?stream_id=${stream.id}`);
    expect(list.items).toMatchObject([{ id, ...shown }]);
    expect((await send<Post>(getPost, `/posts/${id}`)).json).toMatchObject(shown);
    const { json: score } = await send<Score>(getScore, `/posts/${id}/score`);
    expect([score.ai_would_reject, score.checks.length]).toEqual([true, 1]);
  });

  test("the deck of an API key, and the other nine tenths, show it", async () => {
    expect(await cardOf({}, "key")).toMatchObject({ ...shown, advice_hidden: false });
    expect(await cardOf({ ...rejected, id: nextId(false) })).toMatchObject({
      ...shown,
      advice_hidden: false,
    });
  });

  const pictureCheck = { kind: "picture", version: "1", threshold: 0.7, votes: true, reason: null };
  test.each<[string, boolean, object, object]>([
    ["an author's mark", true, { sensitive: true }, {}],
    ["a content warning", true, { spoiler_text: "Spiders" }, {}],
    ["a check that votes and is over its threshold", true, {}, { score: 0.8 }],
    ["a check that votes and is below its threshold", false, {}, { score: 0.6 }],
    ["a check that does not vote", false, {}, { score: 0.8, votes: false }],
    ["a check without a result", false, {}, { score: null }],
  ])("a picture with %s: covered %s", async (_why, isCovered, data, check) => {
    const ai_checks = [{ ...pictureCheck, name: "picture_explicit", ...check }];
    expect((await cardOf({ ...data, ai_checks })).media_covered).toBe(isCovered);
  });

  test("a post without media is not covered", async () => {
    expect((await cardOf({ sensitive: true, media: [] })).media_covered).toBe(false);
  });
});

describe("filters and order", () => {
  test.each<[string, object]>([
    ["ai_would_reject=true", {}],
    ["vision_category=explicit", {}],
    ["ai_result=unsure", { ai_would_reject: false, ai_score: 0.5 }],
    ["ai_result=not_checked", { ai_would_reject: null, ai_score: null, classified_at: null }],
  ])("?%s leaves out hidden posts on the desk only, in its cards and its count", async (filter, data) => {
    const stream = await makeStream();
    const blind = await blindPost({ ...data, stream_id: stream.id });
    const open = await openPost({ ...data, stream_id: stream.id });
    const query = `${filter}&stream_id=${stream.id}`;
    const idsOf = (items: { id: number }[]) => items.map((post) => post.id).sort();
    const { json: list } = await send<PostList>(listPosts, `/posts?${query}`);
    expect([list.total, idsOf(list.items)]).toEqual([2, [blind.id, open.id].sort()]);
    const deck = await deckOf(query);
    expect([deck.remaining, idsOf(deck.items)]).toEqual([1, [open.id]]);
    expect(idsOf((await deckOf(query, "key")).items)).toEqual([blind.id, open.id].sort());
  });

  test("?order=ai_unsure on the desk does not depend on hidden scores", async () => {
    const stream = await makeStream();
    const blind = [await blindPost({ stream_id: stream.id }), await blindPost({ stream_id: stream.id })];
    for (const ai_score of [0.5, 0.6, 0.7, 0.8, 0.9, 1])
      await openPost({ ai_score, stream_id: stream.id, ai_would_reject: false });
    const order = async (as: "member" | "key") => {
      const { items } = await deckOf(`order=ai_unsure&stream_id=${stream.id}`, as);
      return items.map((card) => card.id);
    };
    const before = [await order("member"), await order("key")];
    await db.post.updateMany({
      where: { id: { in: blind.map((post) => post.id) } },
      data: { ai_score: 0.5 },
    });
    expect(await order("member")).toEqual(before[0]);
    expect(await order("key")).not.toEqual(before[1]);
  });
});

describe("the decision", () => {
  const told = { would_reject: true, score: 0.9, reasons: ["Ten links."] };

  test("includes the advice of the checks, also when it is repeated", async () => {
    const { id } = await blindPost();
    const decision = crypto.randomUUID();
    expect(await decide(id, "approve", decision)).toMatchObject({
      result: "applied",
      advice: told,
      post: shown,
    });
    expect(await decide(id, "approve", decision)).toMatchObject({ result: "repeated", advice: told });
    expect((await recentDecisions(memberId)).find((each) => each.post_id === id)?.hidden_advice).toBe(true);
  });

  test("of another post tells nothing that was not visible before", async () => {
    const { id } = await openPost();
    expect(await decide(id, "approve")).not.toHaveProperty("advice");
    expect((await recentDecisions(memberId)).find((each) => each.post_id === id)?.hidden_advice).toBeNull();
  });

  test("a skip and an undo tell nothing", async () => {
    const { id } = await blindPost();
    const withoutAdvice = {
      id: expect.any(String) as string,
      result: "applied",
      post: expect.objectContaining(nothing) as Post,
    };
    expect(await decide(id, "skip")).toEqual(withoutAdvice);
    expect(await decide(id, "reject")).toMatchObject({ advice: told });
    expect(await decide(id, "undo")).toEqual(withoutAdvice);
  });

  test("an undo that restores an earlier decision keeps the advice visible", async () => {
    const { id } = await blindPost();
    await decide(id, "reject");
    await decide(id, "approve");
    expect(await decide(id, "undo")).toMatchObject({ post: { approved: false, ...shown } });
  });

  test("counts as made without advice only at the desk, by a member, the first time", async () => {
    const visible = async (id: number) =>
      (await db.check_example.findUniqueOrThrow({ where: { post_id: id } })).visible;
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await blindPost()).id));
    const [desk = 0, page = 0, batch = 0, ofKey = 0, again = 0] = ids;
    await decide(desk, "reject");
    await send(approvePost, `/posts/${page}/approve`, {});
    await send(postBatch, "/review/batch", { decision: "reject", post_ids: [batch] });
    const decisions = [{ id: crypto.randomUUID(), post_id: ofKey, decision: "reject" }];
    await send(postDecisions, "/review/decisions", { decisions }, "key");
    await decide(again, "reject");
    await decide(again, "approve");
    const open = (await openPost()).id;
    await decide(open, "reject");
    expect(await Promise.all([...ids, open].map(visible))).toEqual([false, true, true, true, true, true]);
    const recent = await recentDecisions(memberId);
    expect(recent.filter(({ post_id }) => ids.includes(post_id) && post_id !== ofKey)).toMatchObject(
      [again, page, desk].map((post_id) => ({ post_id, hidden_advice: post_id === desk ? true : null })),
    );
  });
});
