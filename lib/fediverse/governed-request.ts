import { now as clockNow, sleep } from "#lib/base/clock.ts";
import { afterResponse, beforeRequest, newHostState } from "./governor.ts";
import type { HostState, Outcome, RequestKind, WaitReason } from "./governor.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { RemoteError } from "./remote-error.ts";

export interface HostStateStore {
  /**
   * Applies `change` to the host's state atomically and returns `answer`. `change` is pure and may run again
   * after a conflict.
   */
  update<T>(host: string, change: (state: HostState) => { state: HostState; answer: T }): Promise<T>;
}

export interface GovernedRequestOptions {
  store: HostStateStore;
  kind?: RequestKind;
  /** Longest wait for a slot, a pause or a short back-off, in milliseconds; default 10 s. */
  maxWaitMs?: number;
  /** Default: `guardedFetch`. */
  request?: HostRequest;
}

/** Short waits are awaited; all others are thrown. */
const SHORT: readonly WaitReason[] = ["busy", "spacing", "back_off"];

/**
 * Sends requests when the host's governor permits.
 *
 * @throws RemoteError `wait` when the host asked us to wait, its circuit is open, its limit is used up, or patience
 *   ends
 */
export function governedRequest(options: GovernedRequestOptions): HostRequest {
  const { store, kind = "api", maxWaitMs = 10_000, request = guardedFetch } = options;
  return async (url, requestOptions = {}) => {
    const host = URL.canParse(url) ? new URL(url).host : "";
    const ticket = await takeTicket(store, host, kind, maxWaitMs, requestOptions.signal);
    const settle = (outcome: Outcome) =>
      store.update(host, (state) => ({
        state: afterResponse(state, ticket, outcome, clockNow().getTime()),
        answer: undefined,
      }));
    try {
      const response = await request(url, requestOptions);
      await settle({ kind: "answer", status: response.status, headers: response.headers });
      return response;
    } catch (error) {
      await settle(outcomeOf(error));
      throw error;
    }
  };
}

/** Other errors than `RemoteError` are local: they free the slot and do not count against the host. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof RemoteError)) return { kind: "failure", failure: "aborted" };
  return error.answer === null
    ? { kind: "failure", failure: error.kind }
    : { kind: "answer", ...error.answer };
}

async function takeTicket(
  store: HostStateStore,
  host: string,
  kind: RequestKind,
  maxWaitMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const deadline = clockNow().getTime() + maxWaitMs;
  for (;;) {
    if (signal?.aborted) throw new RemoteError("aborted", "The request was called off.");
    const now = clockNow().getTime();
    const decision = await store.update(host, (state) => {
      const answer = beforeRequest(state, now, kind);
      return { state: answer.go ? answer.state : state, answer };
    });
    if (decision.go) return decision.ticket;
    if (!SHORT.includes(decision.reason) || decision.until > deadline) {
      const facts = { retry_at: new Date(decision.until), wait_reason: decision.reason };
      throw new RemoteError("wait", describeWait(host, decision.reason), facts);
    }
    await sleep(decision.until - now, signal);
  }
}

export function describeWait(host: string, reason: WaitReason): string {
  switch (reason) {
    case "asked_to_wait":
      return `${host} asked us to wait.`;
    case "rate_limit":
      return `The request limit of ${host} is nearly used up.`;
    case "circuit_open":
      return `${host} failed several times in a row and is left alone for a while.`;
    case "back_off":
      return `${host} failed a moment ago and is asked again soon.`;
    case "busy":
    case "spacing":
      return `${host} is being asked by somebody else.`;
  }
}

/** For tests and scripts. */
export function memoryHostStates(): HostStateStore & { states: Map<string, HostState> } {
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
