import { describe, expect, it } from "vitest";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { Entry } from "./history.ts";
import { withOwnDecision, type SeenItem } from "./seen-before.ts";

const item: SeenItem = {
  medium: 0,
  post_id: 7,
  post_medium: 0,
  author_account: "@alice@example.org",
  approved: null,
  queue_status: null,
  reviewed_at: null,
  created_at: "2026-03-01T10:00:00.000Z",
  distance: 3,
};

const entry: Entry = {
  id: "a",
  post_id: 7,
  decision: "approve",
  reason: null,
  at: "2026-03-02T10:00:00.000Z",
  author: "Alice",
  snippet: "",
  emojis: [],
  status: "waiting",
  card: { id: 7 } as DeckCard,
};
const approved = { approved: true, queue_status: "pending", reviewed_at: entry.at };

describe("an earlier post with the same picture", () => {
  it("shows a decision made at this desk before the server's answer", () => {
    expect(withOwnDecision(item, [entry])).toMatchObject(approved);
    expect(withOwnDecision(item, [{ ...entry, status: "saved" }])).toMatchObject(approved);
    expect(withOwnDecision(item, [{ ...entry, decision: "reject" }])).toMatchObject({
      approved: false,
      queue_status: null,
    });
    const told = { ...item, approved: true, reviewed_at: entry.at };
    expect(withOwnDecision(told, [{ ...entry, status: "undoing" }])).toEqual(item);
  });

  it("keeps the server's state for other posts, skips, conflicts and later changes", () => {
    for (const each of [{ card: null }, { decision: "skip" }, { status: "conflict" }] as Partial<Entry>[]) {
      expect(withOwnDecision(item, [{ ...entry, ...each }])).toBe(item);
    }
    const later = { ...item, approved: false, reviewed_at: "2026-03-02T11:00:00.000Z" };
    expect(withOwnDecision(later, [entry])).toBe(later);
    const delivered: SeenItem = { ...item, approved: true, queue_status: "delivered", reviewed_at: entry.at };
    expect(withOwnDecision(delivered, [entry])).toBe(delivered);
  });
});
