import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiFailure } from "#lib/client/api-failure.ts";
import type { Decision, DecisionResult } from "#lib/review/decision-schema.ts";
import { Outbox, type DecisionOutcome } from "./outbox.ts";

/** localStorage, shared by the tabs of a test. */
function memoryStorage(options: { full?: boolean } = {}): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()].toReversed()[index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => {
      if (options.full) throw new DOMException("full", "QuotaExceededError");
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

let last = 0;
const decision = (over: Partial<Decision> = {}): Decision => ({
  id: `id-${++last}`,
  post_id: last,
  decision: "approve",
  ...over,
});

function server() {
  const applied: string[] = [];
  const outcome: { next: (() => void) | null } = { next: null };
  const send = (decisions: Decision[]): Promise<DecisionResult[]> => {
    const trouble = outcome.next;
    outcome.next = null;
    trouble?.();
    return Promise.resolve(
      decisions.map(({ id }) => {
        const repeated = applied.includes(id);
        if (!repeated) applied.push(id);
        return { id, result: repeated ? "repeated" : "applied", post: null };
      }),
    );
  };
  return { applied, outcome, send };
}

afterEach(() => vi.useRealTimers());

const settled = (outbox: Outbox) => vi.waitFor(() => expect(outbox.getState().status).toBe("saved"), 5000);

type Send = (decisions: Decision[]) => Promise<DecisionResult[]>;
const outboxOf = (send: Send, storage = memoryStorage(), memberId = 1) =>
  new Outbox({ memberId, storage, send });

/** Whose decisions are not sent. */
const cutOff = (place: Storage, memberId = 1) =>
  outboxOf(() => new Promise(() => undefined), place, memberId);

describe("Outbox", () => {
  it("keeps the order of decisions across tabs and when the clock is set back", () => {
    vi.useFakeTimers();
    const place = memoryStorage();
    const made = [decision(), decision(), decision(), decision()];
    for (const [n, time] of [5000, 5000, 3000, 2000].entries()) {
      vi.setSystemTime(time);
      cutOff(place).add(made[n] as Decision);
    }
    expect(cutOff(place).pending()).toEqual(made);
  });

  it("separates members, and sends nothing in the session of another one", async () => {
    const { applied, send } = server();
    const place = memoryStorage();
    place.setItem("sluice:member", "11");
    const outbox = outboxOf(send, place);
    outbox.add(decision());
    expect([2, 11].map((member) => cutOff(place, member).getState().waiting)).toEqual([0, 0]);
    expect([outbox.getState().status, applied]).toEqual(["signed_out", []]);
    place.setItem("sluice:member", "1");
    outbox.wake();
    await settled(outbox);
    expect(applied).toHaveLength(1);
  });

  it("removes unreadable entries", () => {
    const place = memoryStorage();
    place.setItem("sluice:outbox:1:1:x", "{cut");
    place.setItem("sluice:outbox:1:2:x", JSON.stringify({ id: 1 }));
    cutOff(place).add(decision());
    expect([cutOff(place).getState().waiting, place.length]).toEqual([1, 1]);
  });

  it("sends in order and removes only answered decisions", async () => {
    const { applied, send } = server();
    const outbox = outboxOf(send);
    const made = Array.from({ length: 50 }, () => decision());
    for (const each of made) outbox.add(each);
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
    expect(outbox.getState()).toEqual({ status: "saved", waiting: 0, at_risk: false });
  });

  it("resends with the same ids after an outage and reports its status", async () => {
    const { applied, outcome, send } = server();
    const outbox = outboxOf(send);
    outcome.next = () => {
      throw new ApiFailure({ status: 0, detail: "cut" });
    };
    const made = [decision(), decision()];
    outbox.add(made[0] as Decision);
    await vi.waitFor(() => expect(outbox.getState().status).toBe("offline"));
    outbox.add(made[1] as Decision);
    expect(outbox.getState().waiting).toBe(2);
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
  });

  it("sends decisions of a closed tab, whether the server applied them or not", async () => {
    const { applied, send } = server();
    const place = memoryStorage();
    const made = [decision(), decision(), decision()];
    const left = cutOff(place);
    for (const each of made) left.add(each);
    // The server applied it, but its answer was lost.
    await send([made[0] as Decision]);
    const outbox = outboxOf(send, place);
    const outcomes: DecisionOutcome[] = [];
    outbox.onOutcomes((some) => outcomes.push(...some));
    expect(outbox.getState().waiting).toBe(3);
    outbox.wake();
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
    expect(outcomes.map((each) => each.result)).toEqual(["repeated", "applied", "applied"]);
  });

  it("does not hold up decisions on other posts when the server fails on one", async () => {
    const { applied, send } = server();
    const bad = decision();
    const outbox = outboxOf((decisions) =>
      decisions.some(({ post_id }) => post_id === bad.post_id)
        ? Promise.reject(new ApiFailure({ status: 500, detail: "Internal error" }))
        : send(decisions),
    );
    const undo = decision({ post_id: bad.post_id, decision: "undo" });
    const others = [decision(), decision(), decision()];
    for (const each of [others[0], bad, others[1], undo, others[2]]) outbox.add(each as Decision);
    await vi.waitFor(() => expect(outbox.getState()).toMatchObject({ status: "trouble", waiting: 2 }), 5000);
    expect(applied).toEqual(others.map(({ id }) => id));
    expect(outbox.pending()).toEqual([bad, undo]);
    // The notice of the failure does not come and go.
    outbox.add(decision());
    expect(outbox.getState()).toMatchObject({ status: "trouble", waiting: 3 });
    outbox.stop();
  });

  it("sends the other decisions when one is refused and passes on the server's message", async () => {
    const { applied, send } = server();
    const bad = decision({ note: "\0" });
    const outbox = outboxOf((decisions) =>
      decisions.some(({ id }) => id === bad.id)
        ? Promise.reject(new ApiFailure({ status: 422, detail: "Validation error: note" }))
        : send(decisions),
    );
    const outcomes: DecisionOutcome[] = [];
    outbox.onOutcomes((some) => outcomes.push(...some));
    const made = [decision(), decision(), bad, decision()];
    for (const each of made) outbox.add(each);
    await settled(outbox);
    expect(applied).toEqual(made.filter((each) => each !== bad).map(({ id }) => id));
    expect(outcomes.find((outcome) => outcome.decision.id === bad.id)).toMatchObject({
      result: "refused",
      detail: "Validation error: note",
    });
  });

  it.each([
    [401, "signed_out"],
    [403, "forbidden"],
    [404, "trouble"],
    [500, "trouble"],
    [503, "trouble"],
  ] as const)("keeps everything on %i", async (status, expected) => {
    const { applied, outcome, send } = server();
    const outbox = outboxOf(send);
    outcome.next = () => {
      throw new ApiFailure({ status, detail: "no" });
    };
    outbox.add(decision());
    await vi.waitFor(() => expect(outbox.getState()).toMatchObject({ status: expected, waiting: 1 }));
    outbox.wake();
    await settled(outbox);
    expect(applied).toHaveLength(1);
  });

  it("keeps decisions missing from an answer and reports trouble for an empty answer", async () => {
    const { applied, send } = server();
    const answers = [0, 1, 2];
    const outbox = outboxOf(async (decisions) => {
      const about = answers.shift() ?? decisions.length;
      return (await send(decisions.slice(0, about))).slice(0, about);
    });
    const made = [decision(), decision(), decision()];
    for (const each of made) outbox.add(each);
    await vi.waitFor(() => expect(outbox.getState()).toMatchObject({ status: "trouble", waiting: 3 }));
    outbox.wake();
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
  });

  it("sends decisions held in memory once", async () => {
    const { applied, send } = server();
    const outbox = outboxOf(send, memoryStorage({ full: true }));
    outbox.add(decision());
    expect(outbox.getState()).toMatchObject({ waiting: 1, at_risk: true });
    await settled(outbox);
    expect(applied).toHaveLength(1);
    expect(outbox.getState()).toMatchObject({ waiting: 0, at_risk: false });
  });

  it("two tabs that send the same decision get its answer", async () => {
    const { applied, send } = server();
    const place = memoryStorage();
    const made = decision();
    cutOff(place).add(made);
    const outcomes: string[][] = [];
    const tabs = [1, 2].map((_, n) => {
      const tab = outboxOf(send, place);
      tab.onOutcomes((some) => (outcomes[n] = some.map(({ result }) => result)));
      return tab;
    });
    for (const tab of tabs) tab.wake();
    await Promise.all(tabs.map(settled));
    expect([applied, outcomes, place.length]).toEqual([[made.id], [["applied"], ["repeated"]], 0]);
  });

  it.each([
    ["no answer", null, 0.5, 12.5],
    ["Retry-After", 30, 30, 37.5],
    ["an excessive Retry-After", 86_400, 60, 75],
  ])("retries after %s in time", async (_case, retryAfter, soonest, latest) => {
    vi.useFakeTimers();
    const at: number[] = [];
    const outbox = outboxOf(() => {
      at.push(Date.now() / 1000);
      return Promise.reject(new ApiFailure({ status: 0, detail: "cut", retryAfter }));
    });
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(600_000);
    const pauses = at.slice(1).map((time, n) => time - (at[n] ?? 0));
    expect(pauses.length).toBeGreaterThan(6);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(soonest);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(latest);
    expect(Math.min(...pauses.slice(5))).toBeGreaterThanOrEqual(10);
    outbox.stop();
    outbox.wake();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(at).toHaveLength(pauses.length + 1);
  });

  it("keeps requests with long notes below 256 KiB", async () => {
    const sizes: number[] = [];
    const { send } = server();
    const outbox = outboxOf((decisions) => {
      sizes.push(new TextEncoder().encode(JSON.stringify({ decisions })).length);
      return send(decisions);
    });
    // JSON writes a control character in six letters.
    const reason = "\u0001".repeat(200);
    for (let i = 0; i < 30; i++) outbox.add(decision({ reason, note: "\u0001".repeat(2000) }));
    for (let i = 0; i < 30; i++) outbox.add(decision({ note: "😀".repeat(2000) }));
    await settled(outbox);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
  });
});
