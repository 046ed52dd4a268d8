import { describe, expect, it } from "vitest";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { emptyDesk, mergeCards, reduce, type DeskState } from "./desk.ts";
import { entryOf, HISTORY_LENGTH, type Entry } from "./history.ts";

const later = new Date(Date.now() + 600_000).toISOString();
const card = (id: number, version = 1, lease_expires_at = later) =>
  ({
    id,
    version,
    content: `post ${id}`,
    emojis: [],
    author_history: {},
    lease_expires_at,
  }) as unknown as DeckCard;
const ids = (cards: readonly DeckCard[]) => cards.map((each) => each.id);
const merge = (loaded: DeckCard[], items: DeckCard[], unconfirmed: number[] = []) =>
  mergeCards(loaded, items, new Set(unconfirmed), new Set());

describe("mergeCards", () => {
  it("keeps the order of the loaded cards and appends new ones", () => {
    const { cards, lost } = merge([card(3), card(1)], [card(1), card(2), card(3)]);
    expect([ids(cards), lost]).toEqual([[3, 1, 2], null]);
  });

  it("replaces an edited card, but never the one on top", () => {
    const top = card(1);
    const { cards, edited } = merge([top, card(2)], [card(1, 2), card(2, 2)]);
    expect(cards[0]).toBe(top);
    expect([edited?.version, cards[1]?.version]).toEqual([2, 2]);
  });

  it("neither adds nor removes posts whose decision or undo the server has not seen", () => {
    expect(ids(merge([card(2)], [card(1), card(2)], [1]).cards)).toEqual([2]);
    const { cards, lost } = merge([card(9), card(2)], [card(2)], [9]);
    expect([ids(cards), lost]).toEqual([[9, 2], null]);
  });

  it("keeps leased cards that a full answer omits", () => {
    const full = Array.from({ length: 20 }, (_, n) => card(n + 10));
    expect(ids(merge([card(1), card(2)], full).cards).slice(0, 3)).toEqual([1, 2, 10]);
    const ended = new Date(0).toISOString();
    expect(ids(merge([card(1), card(2, 1, ended)], full).cards).slice(0, 2)).toEqual([1, 10]);
  });
});

describe("the history", () => {
  const decide = (state: DeskState, id: number) =>
    reduce(state, { type: "decide", entry: entryOf(card(id), `d${id}`, "approve", null) });

  it("has one line per post, newest first, up to a maximum", () => {
    let state = emptyDesk;
    for (let id = 1; id <= HISTORY_LENGTH + 5; id++) state = decide(state, id);
    state = decide(state, 20);
    expect([state.history.length, state.history[0]?.post_id]).toEqual([HISTORY_LENGTH, 20]);
    expect(state.history.filter(({ post_id }) => post_id === 20)).toHaveLength(1);
  });

  it("stays in undoing when the decision is confirmed before its undo", () => {
    let state = decide({ ...emptyDesk, cards: [card(1), card(2)] }, 1);
    const [entry] = state.history;
    if (!entry) throw new Error("no entry");
    state = reduce(state, { type: "undo", entry, undo_id: "u" });
    state = reduce(state, { type: "sent", id: entry.id });
    expect([state.history[0]?.status, ids(state.cards)]).toEqual(["undoing", [1, 2]]);
    state = reduce(state, { type: "sent", id: "u" });
    expect([state.history, state.decided]).toEqual([[], 0]);
  });

  it("counts a decision of an earlier page once, and not when it is undone before it was sent", () => {
    const entry: Entry = { ...entryOf(card(1), "d", "approve", null), card: null };
    const start = reduce(emptyDesk, { type: "know", entry });
    let state = reduce(start, { type: "undo", entry, undo_id: "u" });
    for (const id of ["d", "u"]) state = reduce(state, { type: "sent", id });
    expect([state.history, state.decided]).toEqual([[], 0]);
    expect(reduce(start, { type: "sent", id: "d" }).decided).toBe(1);
  });
});
