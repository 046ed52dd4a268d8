import { describe, expect, it } from "vitest";
import { flowStages, type FlowFacts } from "./flow-stages.ts";

type Active = FlowFacts["active"][number];
const stream = (id: number, change: Partial<Active> = {}): Active => ({
  id,
  active: true,
  state: "working",
  behind_since: null,
  enable_scheduling: true,
  next_scheduled_fetch: "2026-05-04T12:00:00.000Z",
  ...change,
});
const running: FlowFacts = {
  role: "admin",
  now: Date.parse("2026-05-04T10:30:00.000Z"),
  streams: 2,
  active: [stream(1), stream(2, { next_scheduled_fetch: "2026-05-04T11:00:00.000Z" })],
  isOverdue: false,
  unreviewed: 7,
  supply: {
    available: 12,
    held: [{ reason: "bot", count: 3 }],
    counts: { pending: 15, reserved: 0, delivered: 4, error: 0 },
    all_time: { delivered: 40, errors: 2, trimmed: 0, nacks: 0, timeouts: 0 },
    runway_days: 3,
  },
  today: {
    since: "2026-05-04T03:00:00.000Z",
    arrivals: 20,
    decided: 9,
    approved: 6,
    delivered: 4,
    recent_deliveries: 8,
  },
  failures: 0,
  hasKey: true,
};
const stagesOf = (facts: Partial<FlowFacts> = {}) => flowStages({ ...running, ...facts });
const healthOf = (facts: Partial<FlowFacts>) => stagesOf(facts).map(({ health }) => health);
const stage = (place: number, facts: Partial<FlowFacts>) => {
  const { health, state, href } = stagesOf(facts)[place] as ReturnType<typeof stagesOf>[number];
  return [health, state, href];
};
const supply = (change: Partial<FlowFacts["supply"]>) => ({ supply: { ...running.supply, ...change } });

describe("the stages from intake to delivery", () => {
  it("show today's figures and link to their pages", () => {
    expect(stagesOf().map(({ name, figure, href }) => [name, figure, href])).toEqual([
      ["intake", 20, "/streams"],
      ["review", 7, "/review"],
      ["queue", 12, "/queue"],
      ["delivery", 4, "/posts?happened=delivered&since=2026-05-04T03%3A00%3A00.000Z"],
    ]);
    expect(healthOf({})).toEqual(["good", "good", "good", "good"]);
    expect(stagesOf()[0]?.at).toBe("2026-05-04T11:00:00.000Z");
    expect(stagesOf()[2]).toMatchObject({ state: "Lasts 3 days", more: [{ text: "3 held" }] });
  });

  const failing = (id: number) => stream(id, { state: "failing" });
  const behind = (at: string) => stream(1, { behind_since: `2026-05-04T10:${at}:00.000Z` });
  it.each<[Partial<FlowFacts>, string, string, string]>([
    [{ active: [stream(1), failing(5)] }, "warn", "1 of 2 streams cannot be fetched", "/streams/5"],
    [{ active: [failing(5), failing(6)] }, "bad", "All 2 streams cannot be fetched", "/streams"],
    [{ active: [behind("00")] }, "warn", "1 stream has a backlog", "/streams"],
    [{ active: [behind("21")] }, "good", "Reading older posts", "/streams"],
    [{ isOverdue: true }, "bad", "Fetches are overdue", "/streams"],
    [{ active: [] }, "idle", "All streams are paused", "/streams"],
  ])("say in intake when streams fail or have a backlog: %#", (facts, ...expected) => {
    expect(stage(0, facts)).toEqual(expected);
  });

  it("say in delivery when posts fail or nobody takes them", () => {
    expect(stage(3, { failures: 2 })).toEqual(["warn", "2 failed deliveries", "/queue#errors"]);
    const today = { ...running.today, recent_deliveries: 0 };
    expect(stage(3, { today })[0]).toBe("bad");
    expect(stage(3, { today, ...supply({ available: 0 }) })[0]).toBe("good");
  });
});
