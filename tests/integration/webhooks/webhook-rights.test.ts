import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as listWebhooks, POST as createWebhook } from "#app/api/v1/webhooks/route.ts";
import { PATCH as updateMember } from "#app/api/v1/members/[id]/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { db } from "#lib/db.ts";
import { sendMessages, watchStates, writeAvailable } from "#lib/webhooks/send-messages.ts";
import type { Webhook, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { makeKey, makeMember, makeApproved } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";

const receiver = await vi.hoisted(async () => (await import("./webhook-receiver.ts")).startReceiver());
afterAll(() => void receiver.server.close());

beforeEach(async () => {
  await db.webhook.deleteMany();
  await db.post.deleteMany();
  receiver.messages.length = 0;
});

type Who = { key?: string; headers?: Record<string, string> };
type Failure = { code?: string };

async function make(who: Who, keyId: number | null, path = "/hook"): Promise<number> {
  const events = ["post.approved", "queue.empty"];
  const body = { name: "Bot", url: receiver.origin + path, events, api_key_id: keyId };
  const { status, json } = await call<WebhookWithSecret>(createWebhook, {
    method: "POST",
    path: "/api/v1/webhooks",
    body,
    ...who,
  });
  expect(status).toBe(201);
  return json.id;
}

const listed = async (who: Who) =>
  (await call<Webhook[]>(listWebhooks, { path: "/api/v1/webhooks", ...who })).json.map(({ id }) => id);
const keyIdOf = async (key: string) =>
  (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } })).id;
const deliver = () => sendMessages({ deadline: new Date(Date.now() + 20_000) });

async function change(member: { id: number }, body: object) {
  const { status } = await call(updateMember, {
    method: "PATCH",
    path: `/api/v1/members/${member.id}`,
    params: { id: String(member.id) },
    headers: await sessionHeaders(await makeMember("admin")),
    body,
  });
  expect(status).toBe(200);
}

async function admin() {
  const member = await makeMember("admin");
  return { member, who: { headers: await sessionHeaders(member) } };
}

describe("a former admin", () => {
  const former = [{ role: "reviewer" }, { role: "viewer" }, { disabled: true }];

  it.each(former)("%j is sent nothing for every stream or for keys of others", async (values) => {
    const { member, who } = await admin();
    await make(who, null);
    await make(who, await keyIdOf(await makeKey({ scopes: ["consume"] })));
    const waiting = await makeApproved();
    await writeAvailable();
    await change(member, values);
    await makeApproved();
    await watchStates();
    await deliver();
    expect(receiver.messages).toEqual([]);
    const messages = await db.webhook_delivery.findMany();
    expect(messages.map(({ state, data }) => [state, data])).toEqual(
      Array.from({ length: 2 }, () => ["canceled", { post_ids: [waiting.id] }]),
    );
    await change(member, { role: "admin", disabled: false });
    await makeApproved();
    await deliver();
    expect(receiver.messages).toHaveLength(2);
  });

  it.each(["reviewer", "viewer"])("%s has only the webhooks of the own keys", async (role) => {
    const { member, who } = await admin();
    await make(who, null);
    await make(who, await keyIdOf(await makeKey({ scopes: ["consume"] })));
    const own = await make(who, await keyIdOf(await makeKey({ created_by: member.id })), "/own");
    const key = await makeKey({ created_by: member.id });
    await change(member, { role });
    await makeApproved();
    await deliver();
    expect(receiver.messages.map(({ path }) => path)).toEqual(["/own"]);
    for (const caller of [who, { key }]) expect(await listed(caller)).toEqual([own]);
  });
});

it("a key without the right to a webhook is refused before its address is judged", async () => {
  const key = await makeKey({ scopes: ["keys"] });
  const { json } = await call<Failure>(createWebhook, {
    method: "POST",
    path: "/api/v1/webhooks",
    key,
    body: { name: "Bot", url: "no address", events: ["queue.empty"] },
  });
  expect(json.code).toBe("scope_missing");
});

it("a webhook ends when the member of its key is disabled", async () => {
  const { who } = await admin();
  const owner = await makeMember("reviewer");
  await make(who, await keyIdOf(await makeKey({ created_by: owner.id, scopes: ["consume"] })));
  await makeApproved();
  await writeAvailable();
  await change(owner, { disabled: true });
  await deliver();
  expect(receiver.messages).toEqual([]);
});
