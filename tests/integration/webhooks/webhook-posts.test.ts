import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as getWithdrawn } from "#app/api/v1/curated/withdrawn/route.ts";
import { POST as createWebhook } from "#app/api/v1/webhooks/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { applySourceCheck } from "#lib/ingest/apply-source-check.ts";
import { forgetAuthors } from "#lib/posts/forget-authors.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import type { WithdrawnPosts } from "#lib/queue/schema.ts";
import { sendMessages, writeAvailable } from "#lib/webhooks/send-messages.ts";
import { ageReservation, next, settle } from "#tests/integration/queue/moves.ts";
import { patch, remove } from "#tests/integration/posts/post-calls.ts";
import { makeKey, makePending, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const receiver = await vi.hoisted(async () => (await import("./webhook-receiver.ts")).startReceiver());
afterAll(() => void receiver.server.close());

const admin = await makeKey();
const bot = await makeKey({ scopes: ["consume"] });
beforeEach(async () => {
  await writeAvailable();
  await db.webhook.deleteMany();
  await db.post.deleteMany();
  receiver.messages.length = 0;
});

async function makeWebhook(events: string[], apiKey?: string): Promise<void> {
  const row = apiKey && (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(apiKey) } }));
  const body = {
    ...{ name: "Bot", url: `${receiver.origin}/hook`, events },
    api_key_id: row ? row.id : null,
  };
  const path = "/api/v1/webhooks";
  expect((await call(createWebhook, { method: "POST", path, key: admin, body })).status).toBe(201);
}

async function told() {
  await sendMessages({ deadline: new Date(Date.now() + 20_000) });
  return receiver.messages.map(({ body }) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { post_ids: number[] } };
    return [type, ...data.post_ids];
  });
}
const listed = async (key = bot, query = "") => {
  const path = `/api/v1/curated/withdrawn${query}`;
  const { json } = await call<WithdrawnPosts>(getWithdrawn, { path, key });
  return json.withdrawn.map((each) => each.fenliu_post_id);
};

async function reserved(values: Parameters<typeof makePending>[0] = {}) {
  const post = await makePending(values);
  const { json, headers } = await next(bot);
  expect(json.fenliu_post_id).toBe(post.id);
  return { ...post, etag: headers.get("etag") as string };
}
async function delivered(values: Parameters<typeof makePending>[0] = {}) {
  const post = await reserved(values);
  expect((await settle("ack", bot, post.id)).status).toBe(204);
  return post;
}
type Posted = Awaited<ReturnType<typeof reserved>>;
const gone = ({ uri }: Posted) => db.$transaction((tx) => applySourceCheck(tx, uri, { kind: "gone" }));
const optOut = ({ author_key }: Posted) =>
  db.$transaction((tx) => forgetAuthors(tx, [{ author_key, uri_host: null, rule: "refusal_tag" }]));

describe("post.error", () => {
  it("names a post that a consumer reported, without the reason", async () => {
    await makeWebhook(["post.error"]);
    const { id } = await reserved();
    await settle("error", bot, id, { reason: "quotes the post", error_details: { stream_id: "none" } });
    expect(await told()).toEqual([["post.error", id]]);
    expect(receiver.messages[0]?.body).not.toContain("quotes");
  });

  it("is canceled when the post was put back before", async () => {
    await makeWebhook(["post.error"]);
    const { id } = await reserved();
    await settle("error", bot, id);
    await writeAvailable();
    await settle("requeue", admin, id);
    expect(await told()).toEqual([]);
  });
});

describe("post.withdrawn", () => {
  it.each<[string, (post: Posted) => Promise<unknown>]>([
    ["was deleted at its own server", gone],
    ["has an author who opted out", optOut],
    ["was deleted by a person", ({ id }) => remove(id)],
  ])("names a delivered post once that %s", async (_how, leave) => {
    await makeWebhook(["post.withdrawn"]);
    const post = await delivered();
    await leave(post);
    expect(await told()).toEqual([["post.withdrawn", post.id]]);
    await gone(post);
    await optOut(post);
    expect(await told()).toHaveLength(1);
    expect((await listed()).filter((id) => id === post.id)).toHaveLength(1);
  });

  it("names a post that a consumer has, and one that it gave back", async () => {
    await makeWebhook(["post.withdrawn"]);
    const [first, second] = [await reserved(), await reserved()];
    await settle("nack", bot, second.id);
    await gone(first);
    await gone(second);
    expect(await told()).toEqual([
      ["post.withdrawn", first.id],
      ["post.withdrawn", second.id],
    ]);
  });

  it("names a post again whose ack came after it was withdrawn", async () => {
    await makeWebhook(["post.withdrawn"]);
    const post = await reserved();
    await gone(post);
    expect(await told()).toHaveLength(1);
    await ageReservation(post.id, 1000);
    await db.$executeRaw`SELECT queue_sweep(false)`;
    expect((await settle("ack", bot, post.id, undefined, { "if-match": post.etag })).status).toBe(204);
    expect(await told()).toEqual([
      ["post.withdrawn", post.id],
      ["post.withdrawn", post.id],
    ]);
  });

  it("answers 404 to the ack of a post that was deleted meanwhile", async () => {
    await makeWebhook(["post.withdrawn"]);
    const post = await reserved();
    await optOut(post);
    expect((await settle("ack", bot, post.id)).status).toBe(404);
    expect(await told()).toEqual([["post.withdrawn", post.id]]);
  });

  it("is not sent for a post that no consumer had, a decision that is undone, and a cleanup", async () => {
    await makeWebhook(["post.withdrawn"]);
    const post = await delivered();
    await cleanupDelivered(servicePrincipal, 0);
    expect(await db.post.count({ where: { id: post.id } })).toBe(0);
    const waiting = await makePending();
    await patch(waiting.id, { approved: false }, admin);
    await patch(waiting.id, { approved: true }, admin);
    await db.$transaction((tx) => applySourceCheck(tx, waiting.uri, { kind: "gone" }));
    expect(await told()).toEqual([]);
    expect(await listed()).not.toContain(waiting.id);
  });

  it("reaches a webhook and a key of some streams for these only, also for deleted posts", async () => {
    const [mine, other] = [await makeStream(), await makeStream()];
    const bound = await makeKey({ scopes: ["consume"], stream_ids: [mine.id] });
    await makeWebhook(["post.withdrawn"], bound);
    const [kept, foreign] = [
      await delivered({ stream_id: mine.id }),
      await delivered({ stream_id: other.id }),
    ];
    await optOut(kept);
    await optOut(foreign);
    expect(await told()).toEqual([["post.withdrawn", kept.id]]);
    expect(await listed(bound)).toEqual([kept.id]);
    expect((await listed()).slice(0, 2).sort()).toEqual([kept.id, foreign.id].sort());
    expect(await listed(bot, `?since=${new Date(Date.now() + 3_600_000).toISOString()}`)).toEqual([]);
  });
});
