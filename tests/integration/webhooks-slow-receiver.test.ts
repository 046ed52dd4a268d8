import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { POST } from "#app/api/v1/webhooks/route.ts";
import { db } from "#lib/db.ts";
import { sendMessages } from "#lib/webhooks/send-messages.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

/* The first request of this file starts the client's clock, so that the fake clock is the client's, too. */

const receiver = await vi.hoisted(async () => {
  const { createServer } = await import("node:http");
  const state = { received: 0 };
  // `/12` answers after 12 s.
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      state.received += 1;
      setTimeout(() => response.writeHead(204).end(), Number(request.url?.slice(1)) * 1000);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  process.env.ALLOWED_PRIVATE_HOSTS = origin;
  return { server, origin, state };
});
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
  await makePending();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), milliseconds);
    return controller.signal;
  });
  const sent = sendMessages({ deadline: new Date(Date.now() + 20_000) });
  await until(() => receiver.state.received === 2);
  await vi.advanceTimersByTimeAsync(12_500);
  await until(async () => (await stateOf(quick)) !== "pending");
  expect([await stateOf(quick), await stateOf(slow)]).toEqual(["delivered", "pending"]);
  await vi.advanceTimersByTimeAsync(3_000);
  await sent;
  vi.useRealTimers();
  expect(await stateOf(slow)).toMatch(/did not answer in time/);
});
