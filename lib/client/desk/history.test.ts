import { describe, expect, it } from "vitest";
import type { Decision } from "#lib/review/decision-schema.ts";
import {
  firstHistory,
  HISTORY_LENGTH,
  lastUndoable,
  withEntry,
  withOutcomes,
  withPending,
  type HistoryEntry,
} from "./history.ts";
import type { DecisionOutcome } from "./outbox.ts";

const entry = (over: Partial<HistoryEntry> = {}): HistoryEntry => ({
  id: "a",
  post_id: 1,
  decision: "approve",
  reason: null,
  at: "2026-03-12T12:00:00.000Z",
  author: "@a@example.org",
  snippet: "words",
  emojis: [],
  status: "waiting",
  ...over,
});
const outcome = (
  id: string,
  result: DecisionOutcome["result"],
  over: Partial<DecisionOutcome> = {},
): DecisionOutcome => ({
  decision: { id, post_id: 1, decision: "approve" },
  result,
  post: null,
  ...over,
});

describe("withOutcomes", () => {
  it("shows the conflict of a decision", () => {
    const [met] = withOutcomes([entry()], [outcome("a", "conflict", { detail: "Already rejected by Ana" })]);
    expect(met).toMatchObject({
      status: "conflict",
      conflict: { kind: "refused", detail: "Already rejected by Ana" },
    });
    expect(withOutcomes([entry()], [outcome("a", "not_found")])[0]?.conflict).toEqual({ kind: "deleted" });
  });

  it("removes an undone decision and closes one whose undo was refused", () => {
    const undoing = entry({ status: "undoing", undo_id: "u" });
    expect(withOutcomes([undoing], [outcome("u", "applied")])).toEqual([]);
    const [closed] = withOutcomes(
      [undoing],
      [outcome("u", "conflict", { detail: "Post is in state 'reserved'" })],
    );
    expect(closed).toMatchObject({ status: "saved", closed: true });
    expect(lastUndoable([closed as HistoryEntry])).toBeUndefined();
  });

  it("stays in undoing when the decision is confirmed before its undo", () => {
    const undoing = entry({ status: "undoing", undo_id: "u" });
    expect(withOutcomes([undoing], [outcome("a", "applied")])).toEqual([undoing]);
    expect(withOutcomes([undoing], [outcome("a", "applied"), outcome("u", "applied")])).toEqual([]);
  });

  it("returns to the previous decision after a changed one is undone", () => {
    const changed = entry({
      id: "b",
      decision: "reject",
      status: "undoing",
      undo_id: "u",
      earlier: [{ id: "a", decision: "approve" }],
    });
    expect(withOutcomes([changed], [outcome("u", "applied")])[0]).toMatchObject({
      id: "a",
      decision: "approve",
      status: "saved",
      earlier: [],
    });
  });

  it("fills in author and text of a decision of an earlier tab", () => {
    const post = {
      author_account: "@x@example.org",
      content: "<p>Tea &amp; <b>cake</b></p>",
    } as DecisionOutcome["post"];
    const [told] = withOutcomes([entry({ author: "", snippet: "" })], [outcome("a", "applied", { post })]);
    expect(told).toMatchObject({ author: "@x@example.org", snippet: "Tea & cake" });
  });
});

describe("history", () => {
  it("has one line per post, newest first, up to a maximum", () => {
    let list: HistoryEntry[] = [];
    for (let i = 0; i < HISTORY_LENGTH + 5; i++) list = withEntry(list, entry({ id: `${i}`, post_id: i }));
    expect([list.length, list[0]?.post_id]).toEqual([HISTORY_LENGTH, HISTORY_LENGTH + 4]);
    list = withEntry(list, entry({ id: "again", post_id: 10 }));
    expect([list.length, list[0]?.id]).toEqual([HISTORY_LENGTH, "again"]);
  });

  it("starts with the server's decisions and unsent ones of earlier tabs", () => {
    const recent = [
      {
        post_id: 5,
        version: 1,
        decision: "reject" as const,
        reason: "Spam",
        at: "2026-03-12T12:00:00.000Z",
        author_account: "@s@example.org",
        snippet: "buy",
        emojis: [],
      },
    ];
    const pending: Decision[] = [
      { id: "p", post_id: 6, decision: "approve" },
      { id: "q", post_id: 5, decision: "undo" },
    ];
    expect(firstHistory(recent, pending)).toMatchObject([
      { post_id: 6, status: "waiting", snippet: "" },
      {
        post_id: 5,
        status: "undoing",
        undo_id: "q",
        author: "@s@example.org",
      },
    ]);
    expect(withPending([], { id: "q", post_id: 5, decision: "undo" })).toEqual([]);
  });
});
