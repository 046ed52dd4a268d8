import { z } from "zod";
import type { RemoteErrorKind } from "./remote-error.ts";

/*
 * Limits the requests to one host; docs/fediverse.md#manners-towards-servers. `HostState` is JSON, shared by
 * all workers. The functions are pure. Times are milliseconds since 1970.
 */

export type RequestKind = "api" | "picture";

const nothing = z.number().nullable().default(null);

const hostState = z.object({
  /** The slot of a dead worker is free again at `until`. */
  slots: z
    .array(z.object({ ticket: z.number(), kind: z.enum(["api", "picture"]), until: z.number() }))
    .default([]),
  last_ticket: z.number().default(0),
  next_api_at: z.number().default(0),
  rate_limit: nothing,
  rate_remaining: nothing,
  rate_reset_at: nothing,
  wait_until: z.number().default(0),
  wait_reason: z.enum(["asked_to_wait", "back_off", "circuit_open"]).nullable().default(null),
  /** Consecutive failures (5xx, or no usable response) and consecutive 429s. */
  failures: z.number().default(0),
  throttles: z.number().default(0),
});
export type HostState = z.infer<typeof hostState>;

/** Reads a stored state. Missing fields get their defaults. */
export const parseHostState = (stored: unknown): HostState => hostState.parse(stored ?? {});
export const newHostState = (): HostState => parseHostState({});

export type WaitReason = "busy" | "spacing" | "rate_limit" | "asked_to_wait" | "back_off" | "circuit_open";

export type Decision =
  | { go: true; ticket: number; state: HostState }
  /** `until` is always later than now. */
  | { go: false; until: number; reason: WaitReason };

export type Outcome =
  | { kind: "answer"; status: number; headers: Readonly<Record<string, string>> }
  | { kind: "failure"; failure: RemoteErrorKind };

export const GOVERNOR = {
  slots: { api: 1, picture: 2 },
  /** Longer than a request (15 s), so that a slot in use is never reassigned. */
  slotSeconds: 20,
  busyMs: 200,
  /** Random pause after an API request: minimum and maximum. */
  pauseMs: [100, 400],
  /** Part of the rate limit that is left to other programs behind our address: share and maximum. */
  reserve: 0.1,
  maxReserve: 30,
  /** Window of the rate limit if the host states no reset time, as Mastodon's. */
  windowSeconds: 300,
  maxRateWaitSeconds: 3_600,
  maxRetryAfterSeconds: 86_400,
  /** Pause after a 429 without a stated time; doubled with each further one. */
  throttleSeconds: 30,
  /** Pause after a failure; doubled with each further one. */
  backOffSeconds: 1,
  /** This many consecutive failures open the circuit, for a time doubled with each further one. */
  circuitFailures: 5,
  circuitSeconds: 60,
  maxBackOffSeconds: 3_600,
} as const;

/** @returns a ticket for `afterResponse` and the state to store, or until when to wait and why */
export function beforeRequest(state: HostState, now: number, kind: RequestKind = "api"): Decision {
  const wait = (until: number, reason: WaitReason): Decision => ({ go: false, until, reason });
  if (state.wait_until > now) return wait(state.wait_until, state.wait_reason ?? "back_off");
  const rateWait = kind === "api" ? reservedUntil(state, now) : null;
  if (rateWait !== null) return wait(rateWait, "rate_limit");
  const slots = state.slots.filter((slot) => slot.until > now);
  if (slots.filter((slot) => slot.kind === kind).length >= slotsFor(state, kind)) {
    return wait(now + GOVERNOR.busyMs, "busy");
  }
  if (kind === "api" && state.next_api_at > now) return wait(state.next_api_at, "spacing");
  const ticket = state.last_ticket + 1;
  slots.push({ ticket, kind, until: now + GOVERNOR.slotSeconds * 1000 });
  return { go: true, ticket, state: { ...state, slots, last_ticket: ticket } };
}

/** After an open circuit, one request of each kind tests the host. */
function slotsFor(state: HostState, kind: RequestKind): number {
  return state.failures >= GOVERNOR.circuitFailures ? 1 : GOVERNOR.slots[kind];
}

function reservedUntil(state: HostState, now: number): number | null {
  if (state.rate_remaining === null || state.rate_reset_at === null || state.rate_reset_at <= now)
    return null;
  const reserve = Math.min(GOVERNOR.maxReserve, Math.ceil((state.rate_limit ?? 10) * GOVERNOR.reserve));
  return state.rate_remaining <= reserve ? state.rate_reset_at : null;
}

/**
 * Honours `Retry-After`; otherwise backs off exponentially with jitter on 429, 5xx and failures, and opens
 * the circuit after repeated failures. Any other response resets the count of failures once a wait has ended. Refused and aborted
 * requests do not count.
 *
 * @param ticket from `beforeRequest`
 * @param random from 0 to 1, for jitter
 */
export function afterResponse(
  state: HostState,
  ticket: number,
  outcome: Outcome,
  now: number,
  random: number = Math.random(),
): HostState {
  const slot = state.slots.find((candidate) => candidate.ticket === ticket);
  const [shortest, longest] = GOVERNOR.pauseMs;
  const next: HostState = {
    ...state,
    slots: state.slots.filter((candidate) => candidate.ticket !== ticket && candidate.until > now),
    next_api_at:
      slot?.kind === "picture"
        ? state.next_api_at
        : now + shortest + Math.round(random * (longest - shortest)),
  };
  if (outcome.kind === "failure") {
    return outcome.failure === "refused" || outcome.failure === "aborted" ? next : failed(next, now, random);
  }
  noteRate(next, outcome.headers, now);
  const retryAfter = readRetryAfter(outcome.headers, now);
  if (outcome.status === 429) return throttled(next, retryAfter, now, random);
  if (outcome.status >= 500) {
    const after = failed(next, now, random);
    return retryAfter !== null && retryAfter > after.wait_until
      ? { ...after, wait_until: retryAfter, wait_reason: "asked_to_wait" }
      : after;
  }
  // The request was sent before the wait began. A wait ends only by time.
  if (state.wait_until > now) return next;
  return { ...next, failures: 0, throttles: 0, wait_until: 0, wait_reason: null };
}

function noteRate(state: HostState, headers: Readonly<Record<string, string>>, now: number): void {
  const rate = readRateHeaders(headers, now);
  if (rate === null) return;
  state.rate_limit = rate.limit ?? state.rate_limit;
  state.rate_remaining = rate.remaining;
  state.rate_reset_at = cap(
    rate.reset_at ?? now + GOVERNOR.windowSeconds * 1000,
    now,
    GOVERNOR.maxRateWaitSeconds,
  );
}

function throttled(state: HostState, retryAfter: number | null, now: number, random: number): HostState {
  const throttles = state.throttles + 1;
  const windowEnds = state.rate_remaining === 0 ? state.rate_reset_at : null;
  const requested = retryAfter ?? windowEnds;
  const until =
    requested !== null && requested > now
      ? requested
      : now + doubled(GOVERNOR.throttleSeconds, throttles, random);
  return { ...state, throttles, wait_until: Math.max(until, state.wait_until), wait_reason: "asked_to_wait" };
}

function failed(state: HostState, now: number, random: number): HostState {
  const failures = state.failures + 1;
  const beyond = failures - GOVERNOR.circuitFailures;
  const pause =
    beyond >= 0
      ? doubled(GOVERNOR.circuitSeconds, beyond + 1, random)
      : doubled(GOVERNOR.backOffSeconds, failures, random);
  const until = now + pause;
  // Another response may have set a longer wait meanwhile.
  if (state.wait_until > until) return { ...state, failures };
  return { ...state, failures, wait_until: until, wait_reason: beyond >= 0 ? "circuit_open" : "back_off" };
}

/** `seconds` doubled `times` times, in milliseconds, with a jitter of ± 20 %. */
function doubled(seconds: number, times: number, random: number): number {
  const capped = Math.min(GOVERNOR.maxBackOffSeconds, seconds * 2 ** Math.min(times - 1, 30));
  return Math.round(capped * 1000 * (0.8 + 0.4 * random));
}

function cap(time: number, now: number, seconds: number): number {
  return Math.min(time, now + seconds * 1000);
}

/**
 * Reads `X-RateLimit-*` or `RateLimit-*` of the IETF draft. The reset is an ISO time, or seconds since 1970 or from now. It is
 * corrected by the `Date` of the response.
 *
 * @param headers names in lower case
 */
export function readRateHeaders(headers: Readonly<Record<string, string>>, now: number) {
  const read = (name: string) => headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
  const snapshot = {
    limit: readCount(read("limit")),
    remaining: readCount(read("remaining")),
    reset_at: readTime(read("reset"), headers, now),
  };
  return snapshot.limit === null && snapshot.remaining === null ? null : snapshot;
}

/** Reads `Retry-After`: seconds or an HTTP date, at most a day ahead. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  const time = readTime(headers["retry-after"], headers, now);
  return time === null ? null : cap(time, now, GOVERNOR.maxRetryAfterSeconds);
}

function readCount(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,9}\b/.test(text) ? Number.parseInt(text, 10) : null;
}

function readTime(
  text: string | undefined,
  headers: Readonly<Record<string, string>>,
  now: number,
): number | null {
  const value = text?.trim() ?? "";
  if (/^\d{1,15}(\.\d+)?$/.test(value)) {
    const number = Number(value);
    // Seconds from now, or seconds or milliseconds since 1970.
    if (number < 1e8) return now + number * 1000;
    return fromTheirClock(number < 1e11 ? number * 1000 : number, headers, now);
  }
  const time = Date.parse(value);
  return Number.isFinite(time) ? fromTheirClock(time, headers, now) : null;
}

function fromTheirClock(time: number, headers: Readonly<Record<string, string>>, now: number): number {
  const theirs = Date.parse(headers["date"] ?? "");
  return Number.isFinite(theirs) ? now + (time - theirs) : time;
}
