import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Flow, type FlowFacts } from "./flow.tsx";

type Stream = FlowFacts["streams"][number];
const stream = (id: number, change: Partial<Stream> = {}): Stream => ({
  id,
  active: true,
  state: "working",
  enable_scheduling: true,
  next_scheduled_fetch: null,
  ...change,
});
const supply: FlowFacts["supply"] = {
  available: 12,
  held: [{ reason: "bot", count: 3 }],
  kept_back: 0,
  counts: { pending: 15, reserved: 0, delivered: 4, error: 0 },
  all_time: { delivered: 40, errors: 2, trimmed: 0, nacks: 0, timeouts: 0 },
  deliveries_per_day: 4,
  pace_days: 28,
  runway_days: 3,
  runs_dry_at: null,
};
const running: FlowFacts = {
  role: "admin",
  streams: [stream(1), stream(2)],
  isOverdue: false,
  unreviewed: 7,
  supply,
  today: {
    since: "2026-05-04T03:00:00.000Z",
    arrivals: 20,
    decided: 9,
    approved: 6,
    delivered: 5,
    recent_deliveries: 8,
  },
  keys: [],
};
const textOf = (facts: Partial<FlowFacts> = {}) =>
  renderToStaticMarkup(<Flow {...running} {...facts} />).replace(/<[^>]*>/g, "");

it("shows each stage's figure and state", () => {
  const text = textOf();
  for (const part of [
    "20new today",
    "7waiting",
    "9 decided today",
    "12ready",
    "Lasts 3 days",
    "3 held",
    "5delivered today",
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/Warning|Problem/);
});

const failing = (id: number) => stream(id, { state: "failing" });
it.each<[Partial<FlowFacts>, string]>([
  [{ streams: [stream(1), failing(5)] }, "Warning: 1 of 2 streams cannot be fetched"],
  [{ streams: [failing(5), failing(6)] }, "Problem: 2 of 2 streams cannot be fetched"],
  [{ isOverdue: true }, "Problem: Fetches are overdue"],
  [{ streams: [] }, "Idle: No active stream"],
  [{ supply: { ...supply, counts: { ...supply.counts, error: 2 } } }, "Warning: 2 failed deliveries"],
  [{ today: { ...running.today, recent_deliveries: 0 } }, "Problem: No delivery for three days"],
  [{ supply: { ...supply, available: 0, runway_days: 0 } }, "Problem: Empty"],
])("says what is wrong: %#", (facts, sentence) => {
  expect(textOf(facts)).toContain(sentence);
});
