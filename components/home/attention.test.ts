import { describe, expect, it } from "vitest";
import type { Stream } from "#lib/collect/stream-schema.ts";
import type { FoundAlert } from "#lib/stats/alerts.ts";
import { findAttention, type AttentionFacts } from "./attention.tsx";

const now = Date.parse("2026-05-04T12:00:00Z");
const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
const quiet: AttentionFacts = {
  now,
  role: "admin",
  unreviewed: 0,
  failedDeliveries: 0,
  optOuts: 0,
  streams: [],
  nextFetch: undefined,
  isOverdue: false,
  workerSilentSince: null,
  keys: [],
  alerts: [],
};
const alert = (rule: FoundAlert["rule"], path: string, subject = 0): FoundAlert => ({
  ...{ rule, subject, path, title: `alert ${rule}`, step: "Open", advice: "Act." },
});
const stream = (id: number, change: Partial<Stream> = {}) =>
  ({
    id,
    hashtag: `tag${id}`,
    instance: "m.example",
    state: "working",
    last_error: null,
    failing_since: null,
    ...change,
  }) as Stream;
const failing = { state: "failing", last_error: "timeout" } as const;
const apiKey = (id: number, expires_at: string | null, last_used_at: string | null = null) =>
  ({ id, name: "Bot", last_characters: "abcd", expires_at, last_used_at }) as AttentionFacts["keys"][number];
const linesOf = (facts: Partial<AttentionFacts>) =>
  findAttention({ ...quiet, ...facts }).map(({ severity, href }) => `${severity} ${href}`);

describe("open tasks and problems", () => {
  it("shows one line for each alert, and none beside the line of the same failure", () => {
    const alerts = [
      alert("disk.full", "/settings/installation"),
      alert("stream.silent", "/streams/1", 1),
      alert("stream.silent", "/streams/2", 2),
      alert("errors.jump", "/queue#errors"),
    ];
    expect(linesOf({ alerts, streams: [stream(1, failing), stream(2)], failedDeliveries: 12 })).toEqual([
      "problem /settings/installation",
      "problem /streams/2",
      "problem /queue#errors",
      "warning /streams/1",
    ]);
  });

  it("lists problems first, then warnings and work; for reviewers the work", () => {
    const facts: Partial<AttentionFacts> = {
      unreviewed: 5,
      failedDeliveries: 2,
      optOuts: 1,
      alerts: [alert("backup.failed", "/settings/installation")],
      streams: [stream(1, failing), stream(2)],
    };
    const lines = [
      "problem /settings/installation",
      "warning /streams/1",
      "warning /queue#errors",
      "warning /blocking#opt-outs",
    ];
    expect(linesOf(facts)).toEqual([...lines, "work /review"]);
    expect(linesOf({ ...facts, role: "reviewer" })).toEqual(["work /review", ...lines]);
    // Only admins may open the page of tokens.
    const streams = [stream(1, { state: "waiting_for_token" })];
    expect(linesOf({ streams })).toEqual(["problem /settings/installation#server-m.example"]);
    expect(linesOf({ streams, role: "reviewer" })).toEqual(["problem /streams/1"]);
  });

  it("calls overdue fetches, a silent worker and streams that all fail problems", () => {
    expect(linesOf({ isOverdue: true })).toEqual(["problem /streams"]);
    expect(linesOf({ workerSilentSince: at(-0.1) })).toEqual(["problem /streams"]);
    // Three are named, the others are counted.
    expect(linesOf({ streams: [1, 2, 3, 4, 5].map((id) => stream(id, failing)) })).toEqual([
      "problem /streams/1",
      "problem /streams/2",
      "problem /streams/3",
      "warning /streams",
    ]);
  });

  it("warns of keys that expire within a week, and of used ones that have expired", () => {
    const keys = [
      apiKey(1, null),
      apiKey(2, at(30)),
      apiKey(3, at(6)),
      apiKey(4, at(-1), at(-1.5)),
      apiKey(5, at(-1), at(-20)),
      apiKey(6, at(-1)),
      apiKey(7, at(-9), at(-9)),
    ];
    expect(linesOf({ keys })).toEqual(["problem /settings/keys#key-4", "warning /settings/keys#key-3"]);
  });
});
