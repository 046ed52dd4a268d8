import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { POST as createWebhook } from "#app/api/v1/webhooks/route.ts";
import { PATCH as updateWebhook } from "#app/api/v1/webhooks/[id]/route.ts";
import { POST as sendAgain } from "#app/api/v1/webhooks/[id]/deliveries/[delivery_id]/send/route.ts";
import { POST as rotateSecret } from "#app/api/v1/webhooks/[id]/rotate-secret/route.ts";
import { db } from "#lib/db.ts";
import type { WebhookDelivery, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { sendMessages, writeAvailable } from "#lib/webhooks/send-messages.ts";
import { signedHeaders } from "#lib/webhooks/sign.ts";
import { makeApproved, makeKey } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

const receiver = await vi.hoisted(async () => (await import("./webhook-receiver.ts")).startReceiver());
afterAll(() => void receiver.server.close());

const key = await makeKey();
beforeEach(async () => {
  await writeAvailable();
  await db.webhook.deleteMany();
  receiver.messages.length = 0;
  receiver.state.status = 204;
});

const ask = <Body>(
  handler: RouteHandler,
  method: string,
  params: Record<string, string>,
  body?: object,
  by = key,
) => call<Body & { code?: string }>(handler, { method, path: "/api/v1/webhooks", params, body, key: by });
const again = (webhook: number, id: string, by = key) =>
  ask<WebhookDelivery>(sendAgain, "POST", { id: String(webhook), delivery_id: id }, undefined, by);

/** A webhook with a message about an approved post that was sent. */
async function sent(status = 204) {
  receiver.state.status = status;
  const body = { name: "Bot", url: `${receiver.origin}/hook`, events: ["post.approved"] };
  const { json } = await ask<WebhookWithSecret>(createWebhook, "POST", {}, body);
  const post = await makeApproved();
  await sendMessages({ deadline: new Date(Date.now() + 20_000) });
  const { id } = await db.webhook_delivery.findFirstOrThrow({ where: { webhook_id: json.id } });
  receiver.state.status = 204;
  return { webhook: json.id, secret: json.secret, id, post };
}

it("sends a delivered message once more, with the same id and body", async () => {
  const { webhook, id } = await sent();
  expect(await again(webhook, id)).toMatchObject({
    status: 200,
    json: { id, state: "delivered", attempts: 2 },
  });
  const [first, second] = receiver.messages;
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(second?.body).toBe(first?.body);
});

it("sends a message that waits for its next attempt at once, and a failure is repeated by the schedule", async () => {
  const { webhook, id } = await sent(500);
  receiver.state.status = 503;
  const failed = await again(webhook, id);
  expect(failed.json).toMatchObject({ state: "pending", status: 503, attempts: 2 });
  expect(failed.json.next_attempt_at).not.toBeNull();
  receiver.state.status = 204;
  expect((await again(webhook, id)).json).toMatchObject({ state: "delivered", attempts: 3 });
});

it("signs with the present secret, and for a day with the former one", async () => {
  const { webhook, secret, id } = await sent();
  const { json } = await ask<WebhookWithSecret>(rotateSecret, "POST", { id: String(webhook) });
  await again(webhook, id);
  const { headers, body } = receiver.messages.at(-1) as (typeof receiver.messages)[number];
  const seconds = Number(headers["webhook-timestamp"]);
  const expected = signedHeaders(id, seconds, body, [json.secret, secret])["webhook-signature"];
  expect(headers["webhook-signature"]).toBe(expected);
});

it("is refused while the webhook is off, and changes nothing", async () => {
  const { webhook, id } = await sent();
  await ask(updateWebhook, "PATCH", { id: String(webhook) }, { enabled: false });
  const before = await db.webhook_delivery.findMany({ where: { webhook_id: webhook } });
  expect(await again(webhook, id)).toMatchObject({ status: 409, json: { code: "webhook_disabled" } });
  expect(await db.webhook_delivery.findMany({ where: { webhook_id: webhook } })).toEqual(before);
  await ask(updateWebhook, "PATCH", { id: String(webhook) }, { enabled: true });
  expect((await again(webhook, id)).json).toMatchObject({ state: "delivered" });
});

it("cancels a message about which nothing is left to tell", async () => {
  const { webhook, id, post } = await sent();
  await db.post.delete({ where: { id: post.id } });
  expect((await again(webhook, id)).json).toMatchObject({ state: "canceled" });
  expect(receiver.messages).toHaveLength(1);
});

it("leaves a message alone that is being sent", async () => {
  const { webhook, id } = await sent();
  await db.$executeRaw`UPDATE webhook_delivery SET state = 'pending', error = NULL,
    next_attempt_at = now() + interval '1 minute' WHERE id = ${id}::uuid`;
  expect((await again(webhook, id)).json).toMatchObject({ state: "pending", attempts: 1 });
  expect(receiver.messages).toHaveLength(1);
});

it("finds messages of this webhook only, and webhooks of the caller only", async () => {
  const { webhook, id } = await sent();
  const other = await sent();
  for (const unknown of ["1", "no-uuid", randomUUID(), other.id])
    expect(await again(webhook, unknown)).toMatchObject({ status: 404, json: { code: "message_not_found" } });
  const stranger = await makeKey({ scopes: ["keys"] });
  expect(await again(webhook, id, stranger)).toMatchObject({
    status: 404,
    json: { code: "webhook_not_found" },
  });
});
