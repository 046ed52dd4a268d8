import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { POST as undoAction } from "#app/api/v1/actions/[id]/undo/route.ts";
import { GET as getWithdrawn } from "#app/api/v1/curated/withdrawn/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { db } from "#lib/db.ts";
import { applySourceCheck } from "#lib/ingest/apply-source-check.ts";
import { GET as getPost } from "#app/api/v1/posts/[id]/route.ts";
import type { PostDetail } from "#lib/posts/schema.ts";
import type { WithdrawnPosts } from "#lib/queue/schema.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { columnsWith } from "#tests/integration/consent/find-text-in-database.ts";
import { ingest, postOf, status, target } from "#tests/integration/streams/ingest-samples.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";
import { ageReservation, emptyQueue, entry, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

const key = await makeKey();
const url = "https://bot.example/@heron/114/activity";

async function reserved() {
  const post = await makePending();
  const { headers } = await next(key);
  return { id: post.id, uri: post.uri, etag: headers.get("etag") as string };
}
const show = async (id: number) =>
  (await call<PostDetail>(getPost, { path: `/api/v1/posts/${id}`, params: { id: String(id) }, key })).json;

const send = (handler: RouteHandler, body?: unknown, params: Record<string, string> = {}) =>
  call<{ restored: number }>(handler, { method: "POST", path: "/api/v1/x", key, params, body });
const withdrawn = async () => {
  const { json } = await call<WithdrawnPosts>(getWithdrawn, { path: "/api/v1/curated/withdrawn", key });
  return json.withdrawn.map((each) => each.fenliu_post_id);
};

describe("an ack with the address of the boost", () => {
  it("stores it, for the post and its history", async () => {
    const { id } = await reserved();
    expect((await settle("ack", key, id, { boost_url: url, more: 1 })).status).toBe(204);
    const post = await show(id);
    expect(post.boost_url).toBe(url);
    expect(post.history.at(-1)).toMatchObject({ action: "ack", note: url });
  });

  it("stores each address of a batch at its own post", async () => {
    const posts = [await reserved(), await reserved(), await reserved(), await reserved(), await reserved()];
    const addressOf = (id: number) => (id === posts[1]?.id ? undefined : `${url}/${id}`);
    const answers = await Promise.all(
      posts.map(({ id }) => settle("ack", key, id, { boost_url: addressOf(id) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(posts.map(() => 204));
    for (const { id } of posts) expect((await show(id)).boost_url).toBe(addressOf(id) ?? null);
  });

  it.each([
    ["no address", "boost"],
    ["another scheme", "javascript:alert(1)"],
    ["a space", "https://bot.example/a b"],
    ["a number", 7],
    ["an empty text", ""],
    ["too long", `https://bot.example/${"a".repeat(2000)}`],
  ])("is refused for %s, and changes nothing", async (_what, boost_url) => {
    const { id } = await reserved();
    const before = await entry(id);
    const answer = await settle("ack", key, id, { boost_url });
    expect([answer.status, answer.json]).toMatchObject([
      422,
      { code: "validation", errors: [{ path: "boost_url" }] },
    ]);
    expect(await entry(id)).toEqual(before);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", "null"],
    ["text", "{not json"],
    ["a list", "[1]"],
    ["an address that is null", { boost_url: null }],
    ["another object", { uri: url }],
    ["more than 256 KiB", `{"x": "${"a".repeat(300_000)}"}`],
  ])("accepts a body of %s as an ack without one", async (_what, body) => {
    const { id } = await reserved();
    expect((await settle("ack", key, id, body)).status).toBe(204);
    expect((await show(id)).boost_url).toBeNull();
  });

  it("keeps the first one: a repeated ack is refused", async () => {
    const { id, etag } = await reserved();
    const headers = { "if-match": etag };
    await settle("ack", key, id, { boost_url: url }, headers);
    const again = await settle("ack", key, id, { boost_url: "https://bot.example/2" }, headers);
    expect(again).toMatchObject({ status: 409, json: { state: "delivered" } });
    expect((await show(id)).boost_url).toBe(url);
  });

  it("stores it with a late ack too", async () => {
    const { id, etag } = await reserved();
    await ageReservation(id, 1000);
    await db.$executeRaw`SELECT queue_sweep(false)`;
    expect((await settle("ack", key, id, { boost_url: url }, { "if-match": etag })).status).toBe(204);
    expect((await show(id)).boost_url).toBe(url);
  });
});

describe("an undo of the approval", () => {
  const approve = async (id: number) => {
    const decision = randomUUID();
    const { status } = await send(decide, {
      decisions: [{ id: decision, post_id: id, decision: "approve" }],
    });
    expect(status).toBe(200);
    return () => send(undoAction, undefined, { id: decision });
  };

  it("leaves a delivered post, with the address", async () => {
    const { id } = await makePost();
    const undo = await approve(id);
    await next(key);
    await settle("ack", key, id, { boost_url: url });
    expect((await undo()).json.restored ?? 0).toBe(0);
    expect(await show(id)).toMatchObject({ boost_url: url, approved: true });
    expect((await entry(id)).state).toBe("delivered");
  });

  it("ends the right to a late ack, also when the post is approved again", async () => {
    const { id } = await makePost();
    const undo = await approve(id);
    const etag = (await next(key)).headers.get("etag") as string;
    await ageReservation(id, 1000);
    await db.$executeRaw`SELECT queue_sweep(false)`;
    const ackLate = () => settle("ack", key, id, { boost_url: url }, { "if-match": etag });
    expect((await undo()).json).toMatchObject({ restored: 1 });
    expect((await ackLate()).status).toBe(409);
    await approve(id);
    expect((await ackLate()).status).toBe(409);
    expect((await show(id)).boost_url).toBeNull();
  });
});

it("an edit of a delivered post keeps the address", async () => {
  const [stream, sent] = [await target(), status()];
  await ingest(stream, [sent]);
  const { id } = await postOf(sent);
  await send(decide, { decisions: [{ id: randomUUID(), post_id: id, decision: "approve" }] });
  expect((await next(key)).json.fenliu_post_id).toBe(id);
  await settle("ack", key, id, { boost_url: url });
  const edited_at = new Date().toISOString();
  await ingest(stream, [{ ...sent, content: "<p>Something else</p>", edited_at }]);
  const post = await show(id);
  expect(post).toMatchObject({ boost_url: url, approved: true });
  expect(post.content).toContain("Something else");
});

describe("the address of a boost is forgotten", () => {
  const gone = (uri: string) => db.$transaction((tx) => applySourceCheck(tx, uri, { kind: "gone" }));
  const mark = `boost${Date.now()}`;
  const ack = (id: number) => settle("ack", key, id, { boost_url: `https://bot.example/${mark}` });

  it("when the post is gone at its own server", async () => {
    const { id, uri } = await reserved();
    await ack(id);
    expect(await columnsWith(mark)).toEqual(["post_event.note"]);
    await gone(uri);
    expect(await columnsWith(mark)).toEqual([]);
    expect((await show(id)).boost_url).toBeNull();
    expect(await withdrawn()).toContain(id);
  });

  it("when the ack comes after the post was gone", async () => {
    const { id, uri } = await reserved();
    await gone(uri);
    expect((await ack(id)).status).toBe(204);
    expect(await columnsWith(mark)).toEqual([]);
    expect((await withdrawn()).filter((each) => each === id)).toHaveLength(2);
  });

  it("when the post is deleted", async () => {
    const { id } = await reserved();
    await ack(id);
    await db.post.delete({ where: { id } });
    expect(await columnsWith(mark)).toEqual([]);
  });
});
