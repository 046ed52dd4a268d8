import { createHmac } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as listWebhooks, POST as createWebhook } from "#app/api/v1/webhooks/route.ts";
import { PATCH as updateWebhook } from "#app/api/v1/webhooks/[id]/route.ts";
import { GET as listDeliveries } from "#app/api/v1/webhooks/[id]/deliveries/route.ts";
import { POST as rotateSecret } from "#app/api/v1/webhooks/[id]/rotate-secret/route.ts";
import { POST as testWebhook } from "#app/api/v1/webhooks/[id]/test/route.ts";
import { PATCH as reviewPost } from "#app/api/v1/posts/[id]/route.ts";
import { GET as tick } from "#app/api/cron/tick/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { db } from "#lib/db.ts";
import { webhookMessages } from "#lib/webhooks/message-schema.ts";
import { sendMessages, watchStates, writeAvailable } from "#lib/webhooks/send-messages.ts";
import type { Webhook, WebhookDelivery, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { approve as enqueue, makeApproved, makeKey, makePost, makeStream } from "#tests/setup/factories.ts";
import { call, type CallOptions, type RouteHandler } from "#tests/setup/request.ts";
import type { Received } from "./webhook-receiver.ts";

const receiver = await vi.hoisted(async () => {
  process.env.CRON_SECRET = "a secret for the scheduler";
  return (await import("./webhook-receiver.ts")).startReceiver();
});
const { origin, messages: received } = receiver;
afterAll(() => void receiver.server.close());

function answerWith(status: number, headers: Record<string, string> = {}): void {
  Object.assign(receiver.state, { status, headers });
}

let key: string;
beforeEach(async () => {
  await db.webhook.deleteMany();
  await db.post.deleteMany();
  await db.stream.deleteMany();
  received.length = 0;
  answerWith(204);
  key = await makeKey({ scopes: ["read", "review", "manage", "keys"] });
});

type Failure = { detail: string; code: string };
const ask = <Body>(
  handler: RouteHandler,
  method: string,
  id: number | null,
  rest: Partial<CallOptions> = {},
) =>
  call<Body & Failure>(handler, {
    method,
    path: "/api/v1/webhooks",
    ...(id === null ? {} : { params: { id: String(id) } }),
    key,
    ...rest,
  });

async function make(values: object = {}, rest: Partial<CallOptions> = {}) {
  const body = { name: "Bot", url: `${origin}/hook`, events: ["post.approved"], ...values };
  return ask<WebhookWithSecret>(createWebhook, "POST", null, { body, ...rest });
}

async function deliver(): Promise<void> {
  await sendMessages({ deadline: new Date(Date.now() + 20_000) });
  for (const { body, headers } of received) expectDocumented(JSON.parse(body) as Message, headers);
}

type Message = { type: keyof typeof webhookMessages };
function expectDocumented(message: Message, sent: Received["headers"]): void {
  const { body, headers } = webhookMessages[message.type];
  expect(body.parse(message)).toEqual(message);
  headers.parse(sent);
}
const log = async (id: number) =>
  (await ask<WebhookDelivery[]>(listDeliveries, "GET", id)).json as unknown as WebhookDelivery[];
const approve = async (post: { id: number }) => {
  const path = `/api/v1/posts/${post.id}`;
  const params = { id: String(post.id) };
  const { status } = await call(reviewPost, { method: "PATCH", path, params, key, body: { approved: true } });
  expect(status).toBe(200);
};
// The column has milliseconds, so that now() may be rounded into the future.
const makeDue = () =>
  db.$executeRaw`UPDATE webhook_delivery SET next_attempt_at = now() - interval '1 second' WHERE state = 'pending'`;

function verify({ headers, body }: Received, secret: string): boolean {
  const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const expected = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
  return String(headers["webhook-signature"])
    .split(" ")
    .includes(`v1,${expected.update(signed).digest("base64")}`);
}

describe("a message", () => {
  it("tells about an approval with ids only, signed with a fresh time", async () => {
    const { json, status } = await make();
    expect(status).toBe(201);
    const post = await makePost({ content: "<p>Words of the author</p>" });
    await approve(post);
    await deliver();
    expect(received).toHaveLength(1);
    const [message] = received as [Received];
    expect(JSON.parse(message.body)).toEqual({
      type: "post.approved",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      data: { post_ids: [post.id] },
    });
    expect(verify(message, json.secret)).toBe(true);
    expect(verify({ ...message, body: `${message.body} ` }, json.secret)).toBe(false);
    expect(Math.abs(Number(message.headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
    expect(message.headers["content-type"]).toBe("application/json");
    expect(await log(json.id)).toMatchObject([
      {
        id: message.headers["webhook-id"],
        event: "post.approved",
        state: "delivered",
        status: 204,
        attempts: 1,
      },
    ]);
  });

  it("is one for a batch, and leaves out posts that were withdrawn since", async () => {
    const { json } = await make();
    const posts = [await makePost(), await makePost(), await makePost()];
    await db.post.updateMany({
      where: { id: { in: posts.map(({ id }) => id) } },
      data: { approved: true, reviewed_at: new Date() },
    });
    await db.$transaction((tx) =>
      enqueue(
        tx,
        posts.map(({ id }) => id),
      ),
    );
    await writeAvailable();
    await db.post.delete({ where: { id: posts[0]?.id ?? 0 } });
    await deliver();
    expect(received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([
      { post_ids: posts.slice(1).map(({ id }) => id) },
    ]);
    received.length = 0;
    await makeApproved();
    await writeAvailable();
    await db.post.deleteMany();
    await deliver();
    expect(received).toEqual([]);
    expect((await log(json.id))[0]).toMatchObject({ state: "canceled", attempts: 1 });
  });

  it("of a key is about its streams only, and ends with the key", async () => {
    const [mine, theirs] = [await makeStream(), await makeStream()];
    const bot = await makeKey({ scopes: ["consume"], stream_ids: [mine.id] });
    const { id: keyId } = await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(bot) } });
    expect((await make({ api_key_id: keyId })).status).toBe(201);
    const post = await makeApproved({ stream_id: mine.id });
    await makeApproved({ stream_id: theirs.id });
    await deliver();
    expect(received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([
      { post_ids: [post.id] },
    ]);
    const last = await makeApproved({ stream_id: mine.id });
    await writeAvailable();
    await db.api_key.update({ where: { id: keyId }, data: { revoked_at: new Date() } });
    await deliver();
    await makeApproved({ stream_id: mine.id });
    expect(received).toHaveLength(1);
    const rows = await db.webhook_delivery.findMany({ where: { state: "canceled" } });
    expect(rows.map(({ data }) => data)).toEqual([{ post_ids: [last.id] }]);
  });
});

describe("states", () => {
  it("an empty queue is told once, until it is filled again", async () => {
    await make({ events: ["queue.empty"] });
    const watch = async () => {
      await watchStates();
      await deliver();
      return received.length;
    };
    expect(await watch()).toBe(0);
    const post = await makeApproved();
    expect(await watch()).toBe(0);
    await db.post.delete({ where: { id: post.id } });
    expect([await watch(), await watch()]).toEqual([1, 1]);
    const again = await makeApproved();
    await watch();
    await db.queue_entry.update({ where: { post_id: again.id }, data: { holds: 1 } });
    expect(await watch()).toBe(2);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ type: "queue.empty", data: {} });
  });

  it("a failing stream is told once, until it has recovered and fails again", async () => {
    await make({ events: ["stream.failing"] });
    const stream = await makeStream({
      last_error: "mastodon.example did not answer in time",
      last_fetch: new Date(Date.now() - 5 * 86_400_000),
    });
    await makeStream({ last_error: "too fresh", last_fetch: new Date() });
    for (let n = 0; n < 2; n++) {
      await watchStates();
      await deliver();
    }
    expect(received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data)).toEqual([
      {
        streams: [
          {
            id: stream.id,
            hashtag: stream.hashtag,
            instance: stream.instance,
            error: "mastodon.example did not answer in time",
          },
        ],
      },
    ]);
    await db.stream.update({ where: { id: stream.id }, data: { last_error: null } });
    await watchStates();
    await db.stream.update({ where: { id: stream.id }, data: { last_error: "again" } });
    await watchStates();
    await deliver();
    expect(received).toHaveLength(2);
  });
});

describe("retries", () => {
  it("repeat the same id with growing pauses, then give up", async () => {
    const { json } = await make();
    answerWith(500);
    await makeApproved();
    const waits: number[] = [];
    for (let n = 0; n < 11; n++) {
      await deliver();
      const row = await db.webhook_delivery.findFirstOrThrow();
      if (row.state !== "pending") break;
      waits.push(row.next_attempt_at.getTime() - (row.last_attempt_at as Date).getTime());
      await makeDue();
    }
    const seconds = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(waits).toHaveLength(seconds.length);
    // A tenth more or less by chance, and rounded to a second.
    const deviations = seconds.map((each, n) => Math.abs((waits[n] ?? 0) / 1000 - each) - each / 10);
    expect(Math.max(...deviations)).toBeLessThan(1);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(2 * 86_400_000);
    expect(await log(json.id)).toMatchObject([{ state: "failed", attempts: 11, status: 500 }]);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  it("a later success ends the failure", async () => {
    const { json } = await make();
    answerWith(503);
    await makeApproved();
    await deliver();
    const of = async () =>
      ((await ask<Webhook[]>(listWebhooks, "GET", null)).json as unknown as Webhook[]).find(
        ({ id }) => id === json.id,
      );
    expect((await of())?.failing_since).not.toBeNull();
    answerWith(200);
    await makeDue();
    await deliver();
    expect(await of()).toMatchObject({ failing_since: null, waiting: 0, enabled: true });
    expect((await of())?.last_success_at).not.toBeNull();
  });

  it("a webhook that fails for five days is disabled, and one that answers 410 at once", async () => {
    const { json } = await make();
    answerWith(500);
    await makeApproved();
    await writeAvailable();
    await db.webhook.updateMany({ data: { failing_since: new Date(Date.now() - 5.1 * 86_400_000) } });
    await makeApproved();
    await deliver();
    const states = async () => {
      const webhook = await db.webhook.findUniqueOrThrow({ where: { id: json.id } });
      return [webhook.disabled_why, await db.webhook_delivery.count({ where: { state: "pending" } })];
    };
    expect(await states()).toEqual(["failing", 0]);
    await makeApproved();
    await deliver();
    expect(await states()).toEqual(["failing", 0]);
    const enabled = await ask<Webhook>(updateWebhook, "PATCH", json.id, { body: { enabled: true } });
    expect(enabled.json).toMatchObject({ enabled: true, disabled_why: null, failing_since: null });
    answerWith(410);
    await makeApproved();
    await deliver();
    expect(await states()).toEqual(["gone", 0]);
    expect(await db.audit_event.count({ where: { action: "webhook.disable" } })).toBe(2);
  });

  it("two workers send a message once, and a killed one's message is sent a minute later", async () => {
    await make();
    await makeApproved();
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(received).toHaveLength(1);
    await makeApproved();
    await writeAvailable();
    await db.$executeRaw`UPDATE webhook_delivery SET attempts = 1, last_attempt_at = now(),
      next_attempt_at = now() + interval '60 seconds' WHERE state = 'pending'`;
    await deliver();
    expect(received).toHaveLength(1);
    await makeDue();
    await deliver();
    expect(received).toHaveLength(2);
  });

  it("a redirect is not followed to another origin", async () => {
    const { json } = await make();
    answerWith(307, { location: "https://elsewhere.example/" });
    await makeApproved();
    await deliver();
    expect(await log(json.id)).toMatchObject([{ state: "pending", status: null }]);
    expect(received).toHaveLength(1);
  });

  it("are made by a call of the scheduler, too", async () => {
    await make();
    await makeApproved();
    const answered = await call(tick, {
      path: "/api/cron/tick",
      headers: { authorization: "Bearer a secret for the scheduler" },
    });
    expect([answered.status, received.length]).toEqual([200, 1]);
  });
});

describe("the secret", () => {
  it("is not stored in clear, not shown again, and the former one signs for a day", async () => {
    const first = (await make()).json;
    const row = await db.webhook.findUniqueOrThrow({ where: { id: first.id } });
    expect(Buffer.from(row.secret).toString("latin1")).not.toContain(first.secret.slice(6));
    expect((await ask(listWebhooks, "GET", null)).text).not.toContain("whsec_");
    const second = (await ask<WebhookWithSecret>(rotateSecret, "POST", first.id)).json;
    expect(second.secret).not.toBe(first.secret);
    await makeApproved();
    await deliver();
    expect(
      received.map((message) => [first.secret, second.secret].map((secret) => verify(message, secret))),
    ).toEqual([[true, true]]);
    await db.webhook.updateMany({ data: { old_secret_until: new Date(Date.now() - 1000) } });
    await makeApproved();
    await deliver();
    const last = received.at(-1) as Received;
    expect([first.secret, second.secret].map((secret) => verify(last, secret))).toEqual([false, true]);
    const audit = await db.audit_event.findMany({ where: { action: { startsWith: "webhook." } } });
    expect(audit.map(({ before, after }) => JSON.stringify([before, after])).join()).not.toContain("whsec_");
  });
});

describe("the test button", () => {
  it("sends one signed message at once and says how it went", async () => {
    const { json } = await make();
    expect((await ask<WebhookDelivery>(testWebhook, "POST", json.id)).json).toMatchObject({
      event: "test",
      state: "delivered",
      status: 204,
    });
    expect(verify(received[0] as Received, json.secret)).toBe(true);
    answerWith(404);
    expect((await ask<WebhookDelivery>(testWebhook, "POST", json.id)).json).toMatchObject({
      state: "failed",
      status: 404,
      error: "It answered 404.",
    });
  });
});

describe("the endpoints", () => {
  it.each([
    ["http://bot.example/hook", "without encryption"],
    ["https://10.0.0.7/", "a private network"],
    ["https://bot.example:8443/", "another port"],
    ["https://user:secret@bot.example/", "a password"],
    ["not an address", "no address"],
  ])("refuse %s: %s", async (url) => {
    const refused = await make({ url });
    expect([refused.status, refused.json.code, await db.webhook.count()]).toEqual([422, "validation", 0]);
  });

  it("refuse a name that resolves to a private address when it is asked", async () => {
    const { json } = await make({ url: "https://localtest.invalid/hook" });
    expect((await ask<WebhookDelivery>(testWebhook, "POST", json.id)).json).toMatchObject({
      state: "failed",
      status: null,
    });
  });

  it("refuse an unknown key", async () => {
    expect((await make({ api_key_id: 999_999 })).status).toBe(422);
  });

  it("allow twenty to a member", async () => {
    for (let n = 0; n < 19; n++) expect((await make()).status).toBe(201);
    const answers = await Promise.all([make(), make()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("cancel waiting messages when a webhook is switched off", async () => {
    const { json } = await make();
    await makeApproved();
    await writeAvailable();
    await ask(updateWebhook, "PATCH", json.id, { body: { enabled: false } });
    await makeApproved();
    await deliver();
    expect(received).toEqual([]);
    expect(await log(json.id)).toMatchObject([{ state: "canceled" }]);
  });
});
