import { now as clockNow, sleep, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { afterResponse, beforeRequest, parseHostState } from "./governor.ts";
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

/** Most attempts to write a state. No number of workers causes so many conflicts. */
const MAX_ATTEMPTS = 100;

/** Host states in the database, shared by all processes. Optimistic writes hold no connection during a request. */
export const hostStates: HostStateStore = {
  async update(host, change) {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const [row] = await db.$queryRaw<{ state: string }[]>`
        SELECT state::text AS state FROM host_state WHERE host = ${host}`;
      const before = parseHostState(row === undefined ? null : JSON.parse(row.state));
      const { state, answer } = change(before);
      if (row !== undefined && state === before) return answer;
      const after = JSON.stringify(state);
      const written =
        row === undefined
          ? await db.$executeRaw`INSERT INTO host_state (host, state) VALUES (${host}, ${after}::jsonb) ON CONFLICT DO NOTHING`
          : await db.$executeRaw`UPDATE host_state SET state = ${after}::jsonb, updated_at = now()
                                 WHERE host = ${host} AND state = ${row.state}::jsonb`;
      if (written === 1) return answer;
    }
    throw new Error(`the state of ${host} could not be written`);
  },
};

interface GovernedRequestOptions {
  /** Store of the host states; default: the database. */
  store?: HostStateStore;
  kind?: RequestKind;
  /** Longest wait for the governor; default 10 s. */
  maxWaitMs?: number;
  /** Client that sends the request; default `guardedFetch`. */
  request?: HostRequest;
  /** Aborts each request, which then fails as `aborted`. */
  signal?: AbortSignal;
}

const waits: Record<WaitReason, string> = {
  asked_to_wait: "asked us to wait",
  rate_limit: "permits hardly any more requests for now",
  circuit_open: "failed several times in a row and is left alone for a while",
  back_off: "failed a moment ago and is asked again soon",
  busy: "is being asked by somebody else",
  spacing: "is being asked by somebody else",
};

/** Reasons of short waits, which are awaited. All others are thrown. */
const AWAITED: readonly WaitReason[] = ["busy", "spacing", "back_off"];

/**
 * Sends requests when the host's governor permits.
 *
 * @throws RemoteError `wait` when the host asked us to wait, its circuit is open, its limit is used up, or `maxWaitMs` is
 *   over
 */
export function governedRequest(options: GovernedRequestOptions): HostRequest {
  const { store = hostStates, kind = "api", maxWaitMs = 10_000, request = guardedFetch } = options;
  return async (url, given = {}) => {
    const requestOptions = options.signal === undefined ? given : { signal: options.signal, ...given };
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

/** Outcome for the governor. An error that is no `RemoteError` is ours: it frees the slot and does not count against the host. */
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
    if (!AWAITED.includes(decision.reason) || decision.until > deadline) {
      const facts = { retry_at: new Date(decision.until), wait_reason: decision.reason };
      throw new RemoteError("wait", `${host} ${waits[decision.reason]}.`, facts);
    }
    await sleep(decision.until - now, signal);
  }
}

export interface WaitingHost {
  host: string;
  /** ISO 8601. */
  until: string;
}

/** Hosts that asked to wait or failed repeatedly. */
export async function listWaitingHosts(): Promise<WaitingHost[]> {
  const rows = await db.$queryRaw<{ host: string; until: Date }[]>`
    SELECT host, to_timestamp((state ->> 'wait_until')::float8 / 1000) AS until FROM host_state
     WHERE state ->> 'wait_reason' IN ('circuit_open', 'asked_to_wait')
       AND (state ->> 'wait_until')::float8 / 1000 > extract(epoch FROM now())
     ORDER BY host`;
  return rows.map(({ host, until }) => ({ host, until: toIso(until) }));
}
