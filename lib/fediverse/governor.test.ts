import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterResponse,
  beforeRequest,
  GOVERNOR,
  newHostState,
  parseHostState,
  readRateHeaders,
  readRetryAfter,
} from "./governor.ts";
import type { HostState, Outcome, RequestKind } from "./governor.ts";
import type { RemoteErrorKind } from "./remote-error.ts";

const T0 = Date.UTC(2026, 10, 21, 12);
const SECOND = 1_000;

const answer = (status: number, headers: Record<string, string> = {}): Outcome => ({
  kind: "answer",
  status,
  headers,
});
const timeout: Outcome = { kind: "failure", failure: "timeout" };

function begin(state: HostState, now: number, kind?: RequestKind) {
  const decision = beforeRequest(state, now, kind);
  if (!decision.go) throw new Error(`had to wait: ${decision.reason}`);
  return decision;
}

function send(state: HostState, outcome: Outcome, now: number, kind?: RequestKind): HostState {
  const decision = begin(state, now, kind);
  return afterResponse(decision.state, decision.ticket, outcome, now, 0.5);
}

/** Seconds until the next request, and the reason. */
function waitOf(state: HostState, now: number, kind: RequestKind = "api"): [string, number] {
  const decision = beforeRequest(state, now, kind);
  return decision.go ? ["go", 0] : [decision.reason, (decision.until - now) / SECOND];
}

describe("slots", () => {
  it("allow one API request and two pictures at a time", () => {
    let state = newHostState();
    const take = (kind: RequestKind) => {
      const decision = beforeRequest(state, T0, kind);
      if (decision.go) state = decision.state;
      return decision.go;
    };
    expect([take("api"), take("api"), take("picture"), take("picture"), take("picture")]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    expect(waitOf(state, T0)[0]).toBe("busy");
  });

  it("are freed by their own ticket or by expiry", () => {
    const first = begin(newHostState(), T0);
    const foreign = afterResponse(first.state, 99, answer(200), T0, 0);
    expect(waitOf(foreign, T0 + SECOND)[0]).toBe("busy");
    expect(waitOf(first.state, T0 + GOVERNOR.slotSeconds * SECOND)[0]).toBe("go");
  });

  it("are separated by a pause with jitter for API requests, not for pictures", () => {
    const state = send(newHostState(), answer(200), T0);
    expect(waitOf(state, T0)).toEqual(["spacing", 0.25]);
    expect(waitOf(state, T0, "picture")[0]).toBe("go");
    const pictured = send(newHostState(), answer(200), T0, "picture");
    expect(waitOf(pictured, T0)[0]).toBe("go");
  });
});

describe("rate limits", () => {
  const rate = (remaining: number, reset: string, limit = "300") =>
    answer(200, {
      "x-ratelimit-limit": limit,
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": reset,
    });
  const inOneMinute = new Date(T0 + 60 * SECOND).toISOString();

  it("keep a reserve until the reset", () => {
    expect(waitOf(send(newHostState(), rate(31, inOneMinute), T0), T0 + SECOND)[0]).toBe("go");
    const used = send(newHostState(), rate(30, inOneMinute), T0);
    expect(waitOf(used, T0 + SECOND)).toEqual(["rate_limit", 59]);
    expect(waitOf(used, T0 + SECOND, "picture")[0]).toBe("go");
    expect(waitOf(used, T0 + 60 * SECOND)[0]).toBe("go");
  });

  it("keep a small reserve of a small limit", () => {
    expect(waitOf(send(newHostState(), rate(2, inOneMinute, "10"), T0), T0 + SECOND)[0]).toBe("go");
    expect(waitOf(send(newHostState(), rate(1, inOneMinute, "10"), T0), T0 + SECOND)[0]).toBe("rate_limit");
  });

  it.each([
    ["an ISO time", inOneMinute],
    ["seconds from now", "60"],
    ["seconds since 1970", String(T0 / 1000 + 60)],
    ["milliseconds since 1970", String(T0 + 60 * SECOND)],
    ["an HTTP date", new Date(T0 + 60 * SECOND).toUTCString()],
  ])("accept a reset given as %s", (_form, reset) => {
    expect(waitOf(send(newHostState(), rate(0, reset), T0), T0 + SECOND)).toEqual(["rate_limit", 59]);
  });

  it("correct a wrong remote clock by its Date header", () => {
    const behind = T0 - 3_600 * SECOND;
    const headers = {
      date: new Date(behind).toUTCString(),
      "x-ratelimit-limit": "300",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": new Date(behind + 60 * SECOND).toISOString(),
    };
    expect(readRateHeaders(headers, T0)).toEqual({ limit: 300, remaining: 0, reset_at: T0 + 60 * SECOND });
    expect(
      readRetryAfter({ date: headers.date, "retry-after": new Date(behind + 9_000).toUTCString() }, T0),
    ).toBe(T0 + 9_000);
  });

  it("assume the default window without a reset, ignore a past reset and cap a distant one at an hour", () => {
    const none = answer(200, { "x-ratelimit-remaining": "0" });
    expect(waitOf(send(newHostState(), none, T0), T0 + SECOND)).toEqual(["rate_limit", 299]);
    expect(waitOf(send(newHostState(), rate(0, "2020-01-01T00:00:00Z"), T0), T0 + SECOND)[0]).toBe("go");
    expect(waitOf(send(newHostState(), rate(0, "3026-01-01T00:00:00Z"), T0), T0 + SECOND)).toEqual([
      "rate_limit",
      3599,
    ]);
  });
});

describe("429", () => {
  it("honours Retry-After in seconds and as a date, up to a day", () => {
    const after = (value: string) =>
      waitOf(send(newHostState(), answer(429, { "retry-after": value }), T0), T0);
    expect(after("120")).toEqual(["asked_to_wait", 120]);
    expect(after(new Date(T0 + 90 * SECOND).toUTCString())).toEqual(["asked_to_wait", 90]);
    expect(after("99999999")).toEqual(["asked_to_wait", 86_400]);
    expect(readRetryAfter({ "retry-after": "999999999999999" }, T0)).toBe(T0 + 86_400 * SECOND);
  });

  it("waits without Retry-After until the window ends, otherwise for a pause that doubles up to an hour", () => {
    const window = { "x-ratelimit-limit": "300", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "45" };
    expect(waitOf(send(newHostState(), answer(429, window), T0), T0)).toEqual(["asked_to_wait", 45]);
    let state = newHostState();
    let now = T0;
    const waits: number[] = [];
    for (let n = 0; n < 10; n++) {
      state = send(state, answer(429), now);
      const [, seconds] = waitOf(state, now);
      waits.push(seconds);
      now += seconds * SECOND;
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]);
    expect(state.failures).toBe(0);
  });

  it("delays pictures too and ends with a successful response", () => {
    const state = send(newHostState(), answer(429, { "retry-after": "10" }), T0);
    expect(waitOf(state, T0, "picture")).toEqual(["asked_to_wait", 10]);
    const well = send(state, answer(200), T0 + 10 * SECOND);
    expect(well).toMatchObject({ throttles: 0, wait_until: 0, wait_reason: null });
  });
});

describe("failures", () => {
  it("double the back-off, open the circuit at the fifth and double its time with each further one", () => {
    let state = newHostState();
    let now = T0;
    const seen: [string, number][] = [];
    for (const outcome of [answer(500), timeout, answer(502), answer(503), timeout, timeout, answer(500)]) {
      state = send(state, outcome, now);
      const wait = waitOf(state, now);
      seen.push(wait);
      now += wait[1] * SECOND;
    }
    expect(seen).toEqual([
      ["back_off", 1],
      ["back_off", 2],
      ["back_off", 4],
      ["back_off", 8],
      ["circuit_open", 60],
      ["circuit_open", 120],
      ["circuit_open", 240],
    ]);
    const trial = begin(state, now, "picture");
    expect(waitOf(trial.state, now, "picture")[0]).toBe("busy");
    const well = send(state, answer(200), now);
    expect(well).toMatchObject({ failures: 0, wait_until: 0 });
  });

  it.each([
    ["a shorter Retry-After", answer(429, { "retry-after": "5" })],
    ["a 429 without a time", answer(429)],
    ["a failure", timeout],
    ["a success that was under way", answer(200)],
    ["a 503 with a shorter Retry-After", answer(503, { "retry-after": "5" })],
  ])("keep a Retry-After although a concurrent request ends with %s", (_case, late) => {
    const first = begin(newHostState(), T0, "api");
    const second = begin(first.state, T0, "picture");
    const asked = answer(429, { "retry-after": "600" });
    let state = afterResponse(second.state, first.ticket, asked, T0, 0.5);
    state = afterResponse(state, second.ticket, late, T0, 0.5);
    expect(waitOf(state, T0)).toEqual(["asked_to_wait", 600]);
  });

  it("keep an open circuit although a request that was under way succeeds", () => {
    const under = begin({ ...newHostState(), failures: 4 }, T0, "picture");
    const open = send(under.state, timeout, T0);
    const late = afterResponse(open, under.ticket, answer(200), T0 + SECOND, 0.5);
    expect(waitOf(late, T0 + SECOND)).toEqual(["circuit_open", 59]);
  });

  it("honour Retry-After of a 503", () => {
    expect(waitOf(send(newHostState(), answer(503, { "retry-after": "77" }), T0), T0)).toEqual([
      "asked_to_wait",
      77,
    ]);
  });

  it.each([200, 204, 301, 400, 401, 403, 404, 410, 422])("are reset by status %i", (status) => {
    const state = send({ ...newHostState(), failures: 3, throttles: 2 }, answer(status), T0);
    expect(state).toMatchObject({ failures: 0, throttles: 0 });
    expect(waitOf(state, T0 + SECOND)[0]).toBe("go");
  });

  it("do not include refused or aborted requests", () => {
    const before = { ...newHostState(), failures: 2 };
    for (const failure of ["refused", "aborted"] as const) {
      const state = send(before, { kind: "failure", failure }, T0);
      expect(state.failures).toBe(2);
      expect(waitOf(state, T0 + SECOND)[0]).toBe("go");
    }
  });
});

interface Step {
  kind: RequestKind;
  outcome: Outcome;
  lasts: number;
  pause: number;
  random: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<RequestKind>("api", "picture"),
  outcome: fc.oneof(
    fc.record({
      kind: fc.constant("answer" as const),
      status: fc.constantFrom(200, 200, 200, 404, 429, 500, 503),
      headers: fc.dictionary(
        fc.constantFrom(
          "retry-after",
          "x-ratelimit-limit",
          "x-ratelimit-remaining",
          "x-ratelimit-reset",
          "date",
        ),
        fc.oneof(
          fc.integer({ min: -10, max: 100_000 }).map(String),
          fc.integer({ min: 0, max: 1e9 }).map((n) => new Date(T0 + n).toUTCString()),
          fc.string(),
        ),
      ),
    }),
    fc.record({
      kind: fc.constant("failure" as const),
      failure: fc.constantFrom<RemoteErrorKind>("timeout", "unreachable", "refused", "aborted"),
    }),
  ),
  lasts: fc.integer({ min: 0, max: 15_000 }),
  pause: fc.integer({ min: 0, max: 60_000 }),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe("properties", () => {
  it("never exceed the slots, never send early, always end a wait, and keep the state JSON-safe", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let state = newHostState();
        let now = T0;
        const underWay: (Pick<Step, "kind" | "outcome" | "random"> & { ticket: number; ends: number })[] = [];
        const settle = (until: number) => {
          underWay.sort((a, b) => a.ends - b.ends);
          while (underWay[0] && underWay[0].ends <= until) {
            const done = underWay.shift();
            if (done) state = afterResponse(state, done.ticket, done.outcome, done.ends, done.random);
          }
        };
        for (const { kind, outcome, lasts, pause, random } of steps) {
          now += pause;
          settle(now);
          const decision = beforeRequest(state, now, kind);
          if (!decision.go) {
            expect(decision.until).toBeGreaterThan(now);
            expect(decision.until - now).toBeLessThanOrEqual(86_400_000 * 1.2);
            continue;
          }
          expect(now).toBeGreaterThanOrEqual(state.wait_until);
          if (kind === "api") expect(now).toBeGreaterThanOrEqual(state.next_api_at);
          state = decision.state;
          underWay.push({ ticket: decision.ticket, kind, ends: now + lasts, outcome, random });
          for (const each of ["api", "picture"] as const) {
            expect(underWay.filter((one) => one.kind === each).length).toBeLessThanOrEqual(
              GOVERNOR.slots[each],
            );
          }
          expect(parseHostState(JSON.parse(JSON.stringify(state)))).toEqual(state);
        }
        settle(Number.MAX_SAFE_INTEGER);
        expect(beforeRequest(state, now + 86_400_000 * 1.3).go).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
