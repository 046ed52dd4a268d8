import { describe, expect, it } from "vitest";
import { governedRequest, type HostStateStore } from "./governed-request.ts";
import { newHostState, type HostState } from "./governor.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { RemoteError } from "./remote-error.ts";

const URL_HERE = "https://a.example/api";

function memoryHostStates(): HostStateStore & { states: Map<string, HostState> } {
  const states = new Map<string, HostState>();
  return {
    states,
    update(host, change) {
      const { state, answer } = change(states.get(host) ?? newHostState());
      states.set(host, state);
      return Promise.resolve(answer);
    },
  };
}

function answering(status: number, headers: Record<string, string> = {}, delay = 0) {
  const log = { calls: 0, most: 0, now: 0 };
  const request: HostRequest = async (url) => {
    log.calls++;
    log.most = Math.max(log.most, ++log.now);
    await new Promise((resolve) => setTimeout(resolve, delay));
    log.now--;
    return { status, headers, body: Buffer.alloc(0), url };
  };
  return { log, request };
}

describe("governedRequest", () => {
  it("sends one request at a time to each host", async () => {
    const { log, request } = answering(200, {}, 30);
    const store = memoryHostStates();
    const ask = governedRequest({ store, request });
    await Promise.all([ask(URL_HERE), ask(URL_HERE), ask("https://b.example/")]);
    expect(log).toMatchObject({ calls: 3, most: 2 });
    expect(store.states.get("a.example")?.slots).toEqual([]);
  });

  it("sends nothing to a host that asked to wait", async () => {
    const { log, request } = answering(429, { "retry-after": "60" });
    const ask = governedRequest({ store: memoryHostStates(), request });
    expect((await ask(URL_HERE)).status).toBe(429);
    const wait = await ask(URL_HERE).catch((error: unknown) => error);
    expect(wait).toBeInstanceOf(RemoteError);
    expect(wait).toMatchObject({
      kind: "wait",
      wait_reason: "asked_to_wait",
      message: "a.example asked us to wait.",
    });
    expect((wait as RemoteError).retry_at?.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(log.calls).toBe(1);
  });

  it("refuses when patience ends", async () => {
    const { request } = answering(200, {}, 100);
    const ask = governedRequest({ store: memoryHostStates(), request, maxWaitMs: 10 });
    const first = ask(URL_HERE);
    await expect(ask(URL_HERE)).rejects.toMatchObject({ kind: "wait", wait_reason: "busy" });
    await first;
  });

  it("records a failure and rethrows it", async () => {
    const store = memoryHostStates();
    const ask = governedRequest({
      store,
      request: () => Promise.reject(new RemoteError("timeout", "a.example did not answer in time.")),
    });
    await expect(ask(URL_HERE)).rejects.toMatchObject({ kind: "timeout" });
    expect(store.states.get("a.example")).toMatchObject({ failures: 1, wait_reason: "back_off", slots: [] });
  });

  it("records an answer above the size limit as an answer", async () => {
    const store = memoryHostStates();
    const answer = { status: 200, headers: { "x-ratelimit-remaining": "7" } };
    const tooLarge = new RemoteError("too_large", "a.example sent more than 8 MiB.", { answer });
    const ask = governedRequest({ store, request: () => Promise.reject(tooLarge) });
    for (let n = 0; n < 6; n++) await expect(ask(URL_HERE)).rejects.toBe(tooLarge);
    expect(store.states.get("a.example")).toMatchObject({
      failures: 0,
      wait_reason: null,
      rate_remaining: 7,
    });
  });

  it("frees the slot after a local error without counting a failure", async () => {
    const store = memoryHostStates();
    const ask = governedRequest({ store, request: () => Promise.reject(new TypeError("ours")) });
    await expect(ask(URL_HERE)).rejects.toThrow("ours");
    expect(store.states.get("a.example")).toMatchObject({ failures: 0, wait_until: 0, slots: [] });
  });

  it("stops waiting when the signal is aborted", async () => {
    const { request } = answering(200, {}, 100);
    const ask = governedRequest({ store: memoryHostStates(), request });
    const first = ask(URL_HERE);
    await expect(ask(URL_HERE, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
      kind: "aborted",
    });
    await first;
  });
});
