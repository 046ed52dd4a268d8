import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { POST } from "#app/api/v1/webhooks/route.ts";
import { db } from "#lib/db.ts";
import { sendMessages } from "#lib/webhooks/send-messages.ts";
import { makeKey, makeApproved } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* The first request of this file starts the client's clock, so that the fake clock is the client's, too. */

const receiver = await vi.hoisted(async () => (await import("./webhook-receiver.ts")).startReceiver());
afterAll(() => void receiver.server.close());

/** A webhook whose receiver answers after that many seconds. */
async function makeWebhook(key: string, seconds: number): Promise<number> {
  const body = { name: `${seconds} s`, url: `${receiver.origin}/${seconds}`, events: ["post.approved"] };
  const answer = await call<{ id: number }>(POST, { method: "POST", path: "/api/v1/webhooks", key, body });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

async function stateOf(webhook_id: number): Promise<string> {
  const { state, error } = await db.webhook_delivery.findFirstOrThrow({ where: { webhook_id } });
  return error ?? state;
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await nextTurn();
}

test("a receiver has 15 s to answer, and its message is repeated when it takes longer", async () => {
  const key = await makeKey({ scopes: ["read", "review", "manage", "keys"] });
  const [quick, slow] = [await makeWebhook(key, 12), await makeWebhook(key, 16)];
  await makeApproved();
  // `/12` answers after 12 s.
  receiver.state.before = (path) =>
    new Promise((done) => void setTimeout(done, Number(path.slice(1)) * 1000));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), milliseconds);
    return controller.signal;
  });
  const sent = sendMessages({ deadline: new Date(Date.now() + 20_000) });
  await until(() => receiver.messages.length === 2);
  await vi.advanceTimersByTimeAsync(12_500);
  await until(async () => (await stateOf(quick)) !== "pending");
  expect([await stateOf(quick), await stateOf(slow)]).toEqual(["delivered", "pending"]);
  await vi.advanceTimersByTimeAsync(3_000);
  await sent;
  vi.useRealTimers();
  expect(await stateOf(slow)).toMatch(/did not answer in time/);
});
