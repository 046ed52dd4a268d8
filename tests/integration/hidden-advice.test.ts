import { beforeAll, describe, expect, test } from "vitest";
import { GET as getPost, PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as approvePost } from "#app/api/v1/posts/[id]/approve/route.ts";
import { GET as getScore } from "#app/api/v1/posts/[id]/score/route.ts";
import { GET as listPosts } from "#app/api/v1/posts/route.ts";
import { POST as postBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as postDecisions } from "#app/api/v1/review/decisions/route.ts";
import { DELETE as releaseDeck, GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { isBlind } from "#lib/checks/score/blind.ts";
import type { Score } from "#lib/checks/score/schema.ts";
import { db } from "#lib/db.ts";
import { isBlind as blindTenth } from "#lib/posts/hidden-advice.ts";
import { listPostsOfQuery } from "#lib/posts/list-posts.ts";
import type { ReviewAnswer } from "#lib/posts/change-schema.ts";
import type { Post, PostList } from "#lib/posts/schema.ts";
import { getPostFile } from "#lib/review/deck.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { DecisionResult } from "#lib/review/decision-schema.ts";
import { recentDecisions } from "#lib/review/log.ts";
import { makeKey, makeMember, makePost, makeStream, picture } from "#tests/setup/factories.ts";
import { call, sessionHeaders, type RouteHandler } from "#tests/setup/request.ts";

/* One post in ten: members see the advice of the checks only after the decision. */

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
  advice_hidden: true,
};
const shown = { ai_would_reject: true, ai_score: 0.9, advice_hidden: false };

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

test("queries compute the same tenth as is_blind", async () => {
  const rows = await db.$queryRaw<object[]>`
    SELECT p.id FROM (SELECT generate_series(1, 20000) AS id UNION ALL SELECT 2147483647) p
     WHERE ${blindTenth} <> is_blind(p.id)`;
  expect(rows).toEqual([]);
});

describe("before the decision", () => {
  test("a member finds no advice in the deck, the list, the post, its page and its score", async () => {
    const stream = await makeStream();
    const { id } = await blindPost({ stream_id: stream.id });
    const query = `stream_id=${stream.id}`;
    const deck = (await send<Deck>(getDeck, `/review/deck?${query}`)).json.items;
    const list = (await send<PostList>(listPosts, `/posts?${query}`)).json.items;
    const page = (await listPostsOfQuery(query))?.items ?? [];
    const post = (await send<Post>(getPost, `/posts/${id}`)).json;
    const file = await getPostFile(id);
    for (const each of [...deck, ...list, ...page, post, file])
      expect(each).toMatchObject({ id, ...nothing });
    expect([deck.length, list.length, page.length]).toEqual([1, 1, 1]);
    expect((await send<Score>(getScore, `/posts/${id}/score`)).json).toMatchObject({
      ai_would_reject: null,
      ai_score: null,
      vision_category: null,
      advice_hidden: true,
      pictures: [],
      checks: [],
    });
    expect(JSON.stringify([deck, list, page, post, file])).not.toContain("Ten links");
    await send(releaseDeck, "/review/deck");
  });

  test("an API key sees the advice", async () => {
    const { id } = await blindPost();
    expect((await send<Post>(getPost, `/posts/${id}`, undefined, "key")).json).toMatchObject(shown);
    const score = await send<Score>(getScore, `/posts/${id}/score`, undefined, "key");
    expect(score.json).toMatchObject({ ai_would_reject: true, advice_hidden: false });
    expect(score.json.checks).toHaveLength(1);
  });

  test("the other nine tenths show it to members", async () => {
    const { id } = await openPost();
    expect((await send<Post>(getPost, `/posts/${id}`)).json).toMatchObject(shown);
  });

  test.each(["explicit", "neutral"])(
    "a picture found %s is covered, so that the cover tells nothing",
    async (found) => {
      const { id } = await blindPost({ vision_category: found });
      expect((await send<Post>(getPost, `/posts/${id}`)).json.media_covered).toBe(true);
    },
  );

  test.each([[null], ["none"], ["unavailable"]])(
    "pictures that were not seen (%s) are not covered",
    async (found) => {
      const { id } = await blindPost({ vision_category: found });
      expect((await send<Post>(getPost, `/posts/${id}`)).json.media_covered).toBe(false);
    },
  );
});

describe("filters and order", () => {
  test.each(["ai_would_reject=true", "vision_category=explicit"])(
    "?%s leaves out hidden posts for members, in pages and counts of list, deck and batch",
    async (filter) => {
      const stream = await makeStream();
      const blind = await blindPost({ stream_id: stream.id });
      const open = await openPost({ stream_id: stream.id });
      const query = `${filter}&stream_id=${stream.id}`;
      const list = async (as: "member" | "key") => {
        const { json } = await send<PostList>(listPosts, `/posts?${query}`, undefined, as);
        return [json.total, json.items.map((post) => post.id).sort()];
      };
      expect(await list("member")).toEqual([1, [open.id]]);
      expect(await list("key")).toEqual([2, [blind.id, open.id].sort()]);
      const { json: deck } = await send<Deck>(getDeck, `/review/deck?${query}`);
      expect([deck.remaining, deck.items.map((card) => card.id)]).toEqual([1, [open.id]]);
      await send(releaseDeck, "/review/deck");
      const batch = await send<BatchResult>(postBatch, "/review/batch", {
        decision: "reject",
        filter: Object.fromEntries(new URLSearchParams(query)),
      });
      expect(batch.json.changed).toBe(1);
      expect((await db.post.findUniqueOrThrow({ where: { id: blind.id } })).approved).toBeNull();
    },
  );

  test.each([
    ["unsure", { ai_would_reject: false, ai_score: 0.5 }],
    ["not_checked", { ai_would_reject: null, ai_score: null, classified_at: null }],
  ])("?ai_result=%s leaves out hidden posts for members", async (result, data) => {
    const stream = await makeStream();
    const blind = await blindPost({ ...data, stream_id: stream.id });
    const open = await openPost({ ...data, stream_id: stream.id });
    const list = async (as: "member" | "key") => {
      const path = `/posts?ai_result=${result}&stream_id=${stream.id}`;
      return (await send<PostList>(listPosts, path, undefined, as)).json.items.map((post) => post.id).sort();
    };
    expect(await list("member")).toEqual([open.id]);
    expect(await list("key")).toEqual([blind.id, open.id].sort());
  });

  test.each(["", "&reviewed=false"])("?order=ai_unsure%s does not depend on hidden scores", async (state) => {
    const stream = await makeStream();
    const blind = [await blindPost({ stream_id: stream.id }), await blindPost({ stream_id: stream.id })];
    for (const ai_score of [0.5, 0.6, 0.7, 0.8, 0.9, 1])
      await openPost({ ai_score, stream_id: stream.id, ai_would_reject: false });
    const order = async (as: "member" | "key") => {
      const path = `/posts?order=ai_unsure&stream_id=${stream.id}${state}`;
      return (await send<PostList>(listPosts, path, undefined, as)).json.items.map((post) => post.id);
    };
    const deck = async () => {
      const { json } = await send<Deck>(getDeck, `/review/deck?order=ai_unsure&stream_id=${stream.id}`);
      await send(releaseDeck, "/review/deck");
      return json.items.map((card) => card.id);
    };
    const before = [await order("member"), await deck()];
    expect(before[1]).toEqual(before[0]);
    const ofKey = await order("key");
    await db.post.updateMany({
      where: { id: { in: blind.map((post) => post.id) } },
      data: { ai_score: 0.5 },
    });
    expect([await order("member"), await deck()]).toEqual(before);
    expect(await order("key")).not.toEqual(ofKey);
  });

  test("after the decision the post has its place and matches the filters again", async () => {
    const stream = await makeStream();
    const { id } = await blindPost({ stream_id: stream.id });
    await openPost({ stream_id: stream.id, ai_score: 0.6 });
    await decide(id, "reject");
    const list = async (query: string) =>
      (await send<PostList>(listPosts, `/posts?stream_id=${stream.id}&${query}`)).json.items.map(
        (post) => post.id,
      );
    expect(await list("ai_would_reject=true&reviewed=true")).toEqual([id]);
    expect((await list("order=ai_unsure")).at(-1)).toBe(id);
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

  test("tells it in the answer of the single operations", async () => {
    const { id } = await blindPost();
    const answer = await send<ReviewAnswer>(approvePost, `/posts/${id}/approve`, {});
    expect(answer.json.advice).toMatchObject(told);
  });

  test("a skip, a note and an undo tell nothing", async () => {
    const { id } = await blindPost();
    const untold = {
      id: expect.any(String) as string,
      result: "applied",
      post: expect.objectContaining(nothing) as Post,
    };
    expect(await decide(id, "skip")).toEqual(untold);
    const note = await call<ReviewAnswer>(patchPost, {
      method: "PATCH",
      path: `/api/v1/posts/${id}`,
      params: { id: String(id) },
      headers: session,
      body: { reviewer_notes: "a note" },
    });
    expect(note.json).toMatchObject({ approved: null });
    expect(note.json).not.toHaveProperty("advice");
    expect(await decide(id, "reject")).toMatchObject({ advice: told });
    expect(await decide(id, "undo")).toEqual(untold);
  });

  test("an undo that restores an earlier decision keeps the advice visible", async () => {
    const { id } = await blindPost();
    await decide(id, "reject");
    await decide(id, "approve");
    expect(await decide(id, "undo")).toMatchObject({ post: { approved: false, ...shown } });
  });
});
