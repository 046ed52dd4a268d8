import { describe, expect, it } from "vitest";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { findAttention, type AttentionFacts, type FoundAlert } from "./attention.tsx";

const now = Date.parse("2026-05-04T12:00:00Z");
const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
const quiet: AttentionFacts = {
  now,
  role: "admin",
  unreviewed: 0,
  errors: [],
  optOuts: 0,
  streams: [],
  overdueSince: null,
  workerSilentSince: null,
  waitingHosts: [],
  supply: { available: 9, deliveries_per_day: 2, runway_days: 4.5, held: [], kept_back: 0 },
  keys: [],
  alerts: [],
  invitations: 0,
  backupFailure: null,
};
const alert = (rule: FoundAlert["rule"], path: string, subject = 0): FoundAlert => ({
  rule,
  subject,
  title: `alert ${rule}`,
  path,
});
const stream = (id: number, change: Partial<Stream> = {}) =>
  ({
    id,
    hashtag: `tag${id}`,
    instance: "m.example",
    state: "working",
    last_error: null,
    failing_since: null,
    behind_since: null,
    ...change,
  }) as Stream;
const apiKey = (id: number, expires_at: string | null, last_used_at: string | null = null) =>
  ({ id, name: "Bot", last_characters: "abcd", expires_at, last_used_at }) as AttentionFacts["keys"][number];
const find = (facts: Partial<AttentionFacts>) => findAttention({ ...quiet, ...facts });
const linesOf = (facts: Partial<AttentionFacts>) =>
  find(facts).map(({ severity, href }) => `${severity} ${href}`);

describe("open tasks and problems", () => {
  it("shows one line for each alert, and none beside the line of the same failure", () => {
    const alerts = [
      alert("disk.full", "/settings/installation"),
      alert("stream.silent", "/streams/1", 1),
      alert("stream.silent", "/streams/2", 2),
      alert("errors.jump", "/queue#errors"),
    ];
    const streams = [stream(1, { state: "failing", last_error: "timeout" }), stream(2)];
    expect(linesOf({ alerts, streams, errors: [{ reason: "gone", count: 12 }] })).toEqual([
      "problem /settings/installation",
      "problem /queue#errors",
      "warning /streams/1",
      "warning /streams/2",
    ]);
  });

  it("lists problems first, then warnings, work and notes, each with its page", () => {
    expect(
      linesOf({
        unreviewed: 5,
        invitations: 1,
        errors: [{ reason: "gone", count: 2 }],
        alerts: [alert("backup.failed", "/settings/installation")],
        streams: [
          stream(1, { state: "failing", last_error: "timeout" }),
          stream(2),
          stream(3, { behind_since: at(-1) }),
        ],
        supply: {
          ...quiet.supply,
          kept_back: 1,
          held: [
            { reason: "unconfirmed", count: 4 },
            { reason: "no https address", count: 1 },
          ],
        },
      }),
    ).toEqual([
      "problem /settings/installation",
      "warning /streams/1",
      "warning /streams/3",
      "warning /queue#errors",
      "warning /posts?queue_status=pending&held_by=no+https+address",
      "warning /queue#held",
      "work /review",
      "note /settings/members",
    ]);
  });

  it("calls overdue fetches, a silent worker and streams that all fail problems", () => {
    expect(linesOf({ overdueSince: at(-0.1) })).toEqual(["problem /streams"]);
    expect(find({ workerSilentSince: at(-0.1) })[0]?.severity).toBe("problem");
    const streams = [1, 2, 3, 4, 5].map((id) => stream(id, { state: "failing", last_error: "timeout" }));
    // Three are named, the others are counted.
    expect(find({ streams }).map(({ severity }) => severity)).toEqual(Array(4).fill("problem"));
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
