import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiFailure } from "#lib/client/api-failure.ts";
import type { Decision, DecisionResult } from "#lib/review/decision-schema.ts";
import { Outbox, OutboxStorage, type DecisionOutcome } from "./outbox.ts";

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

afterEach(() => {
  vi.useRealTimers();
});

const settled = (outbox: Outbox) => vi.waitFor(() => expect(outbox.getState().status).toBe("saved"), 5000);

describe("OutboxStorage", () => {
  it("keeps the order of decisions across tabs and when the clock is set back", () => {
    const place = memoryStorage();
    const [one, two] = [new OutboxStorage(1, place), new OutboxStorage(1, place)];
    const made = [decision(), decision(), decision(), decision()];
    one.add(made[0] as Decision, 5000);
    two.add(made[1] as Decision, 5000);
    one.add(made[2] as Decision, 3000);
    two.add(made[3] as Decision, 2000);
    expect(two.read().map((entry) => entry.decision)).toEqual(made);
    expect(one.count).toBe(4);
  });

  it("separates members", () => {
    const place = memoryStorage();
    new OutboxStorage(1, place).add(decision());
    expect(new OutboxStorage(2, place).count).toBe(0);
    expect(new OutboxStorage(11, place).count).toBe(0);
  });

  it("holds decisions in memory when the browser refuses to store them and reports the risk", () => {
    const storage = new OutboxStorage(1, memoryStorage({ full: true }));
    storage.add(decision());
    expect([storage.count, storage.atRisk, storage.read().length]).toEqual([1, true, 1]);
  });

  it("removes unreadable entries", () => {
    const place = memoryStorage();
    const storage = new OutboxStorage(1, place);
    place.setItem(`${storage.prefix}1:x`, "{cut");
    place.setItem(`${storage.prefix}2:x`, JSON.stringify({ id: 1 }));
    storage.add(decision());
    expect(storage.read()).toHaveLength(1);
    expect(storage.count).toBe(1);
  });
});

describe("Outbox", () => {
  it("sends in order and removes only answered decisions", async () => {
    const { applied, send } = server();
    const outbox = new Outbox({ memberId: 1, storage: memoryStorage(), send });
    const made = Array.from({ length: 50 }, () => decision());
    for (const each of made) outbox.add(each);
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
    expect(outbox.getState()).toEqual({ status: "saved", waiting: 0, at_risk: false });
  });

  it("resends with the same ids after an outage and reports its status", async () => {
    const { applied, outcome, send } = server();
    const outbox = new Outbox({ memberId: 1, storage: memoryStorage(), send });
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
    const left = new OutboxStorage(1, place);
    for (const each of made) left.add(each);
    // The server applied it, but its answer was lost.
    await send([made[0] as Decision]);
    const outbox = new Outbox({ memberId: 1, storage: place, send });
    const outcomes: DecisionOutcome[] = [];
    outbox.onOutcomes((some) => outcomes.push(...some));
    expect(outbox.getState().waiting).toBe(3);
    outbox.wake();
    await settled(outbox);
    expect(applied).toEqual(made.map(({ id }) => id));
    expect(outcomes.map((each) => each.result)).toEqual(["repeated", "applied", "applied"]);
  });

  it("sends the other decisions when one is refused and passes on the server's message", async () => {
    const { applied, send } = server();
    const bad = decision({ note: "\0" });
    const outbox = new Outbox({
      memberId: 1,
      storage: memoryStorage(),
      send: (decisions) =>
        decisions.some(({ id }) => id === bad.id)
          ? Promise.reject(new ApiFailure({ status: 422, detail: "Validation error: note" }))
          : send(decisions),
    });
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
    [409, "trouble"],
    [429, "trouble"],
    [500, "trouble"],
    [503, "trouble"],
  ] as const)("keeps everything on %i", async (status, expected) => {
    const { applied, outcome, send } = server();
    const outbox = new Outbox({ memberId: 1, storage: memoryStorage(), send });
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
    const outbox = new Outbox({
      memberId: 1,
      storage: memoryStorage(),
      send: async (decisions) => {
        const about = answers.shift() ?? decisions.length;
        return (await send(decisions.slice(0, about))).slice(0, about);
      },
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
    const outbox = new Outbox({ memberId: 1, storage: memoryStorage({ full: true }), send });
    outbox.add(decision());
    expect(outbox.getState()).toMatchObject({ waiting: 1, at_risk: true });
    await settled(outbox);
    expect(applied).toHaveLength(1);
    expect(outbox.getState()).toMatchObject({ waiting: 0, at_risk: false });
  });

  it("sends a decision made right after the last answer", async () => {
    const { applied, send } = server();
    const late = decision();
    const locks = {
      request: async (_name: string, work: () => Promise<void>) => {
        await work();
        if (!applied.includes(late.id)) outbox.add(late);
      },
    } as unknown as LockManager;
    const outbox = new Outbox({ memberId: 1, storage: memoryStorage(), send, locks });
    const first = decision();
    outbox.add(first);
    await vi.waitFor(() => expect(applied).toEqual([first.id, late.id]));
  });

  it("sends from one tab at a time with the Locks API", async () => {
    const { send } = server();
    const place = memoryStorage();
    let turn = Promise.resolve();
    const locks = {
      request: (_name: string, work: () => Promise<void>) => (turn = turn.then(work)),
    } as unknown as LockManager;
    let [now, most] = [0, 0];
    const slowly = async (decisions: Decision[]) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      now--;
      return send(decisions);
    };
    const tabs = [1, 2].map(() => new Outbox({ memberId: 1, storage: place, send: slowly, locks }));
    for (const tab of tabs) for (let n = 0; n < 30; n++) tab.add(decision());
    await Promise.all(tabs.map(settled));
    expect(most).toBe(1);
  });

  it.each([
    ["no answer", null, 0.5, 12.5],
    ["Retry-After", 30, 30, 37.5],
    ["an excessive Retry-After", 86_400, 60, 75],
  ])("retries after %s in time", async (_case, retryAfter, soonest, latest) => {
    vi.useFakeTimers();
    const at: number[] = [];
    const outbox = new Outbox({
      memberId: 1,
      storage: memoryStorage(),
      send: () => {
        at.push(Date.now() / 1000);
        return Promise.reject(new ApiFailure({ status: 0, detail: "cut", retryAfter }));
      },
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
    const outbox = new Outbox({
      memberId: 1,
      storage: memoryStorage(),
      send: (decisions) => {
        sizes.push(new TextEncoder().encode(JSON.stringify({ decisions })).length);
        return send(decisions);
      },
    });
    // JSON writes a control character in six letters.
    const reason = "\u0001".repeat(200);
    for (let i = 0; i < 30; i++) outbox.add(decision({ reason, note: "\u0001".repeat(2000) }));
    for (let i = 0; i < 30; i++) outbox.add(decision({ note: "😀".repeat(2000) }));
    await settled(outbox);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
  });
});
