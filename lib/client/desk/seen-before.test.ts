import { describe, expect, it } from "vitest";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { HistoryEntry } from "./history.ts";
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

const entry: HistoryEntry = {
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
    expect(withOwnDecision(item, { history: [entry], batches: [] })).toMatchObject(approved);
    expect(withOwnDecision(item, { history: [{ ...entry, status: "saved" }], batches: [] })).toMatchObject(
      approved,
    );
    expect(withOwnDecision(item, { history: [{ ...entry, decision: "reject" }], batches: [] })).toMatchObject(
      {
        approved: false,
        queue_status: null,
      },
    );
    const told = { ...item, approved: true, reviewed_at: entry.at };
    expect(withOwnDecision(told, { history: [{ ...entry, status: "undoing" }], batches: [] })).toEqual(item);
  });

  it("keeps the server's state for other posts, skips, conflicts and later changes", () => {
    for (const each of [
      { post_id: 8 },
      { decision: "skip" },
      { status: "conflict" },
      { card: undefined },
    ] as Partial<HistoryEntry>[]) {
      expect(withOwnDecision(item, { history: [{ ...entry, ...each }], batches: [] })).toBe(item);
    }
    const later = { ...item, approved: false, reviewed_at: "2026-03-02T11:00:00.000Z" };
    expect(withOwnDecision(later, { history: [entry], batches: [] })).toBe(later);
    const delivered: SeenItem = { ...item, approved: true, queue_status: "delivered", reviewed_at: entry.at };
    expect(withOwnDecision(delivered, { history: [entry], batches: [] })).toBe(delivered);
  });
});
