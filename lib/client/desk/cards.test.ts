import { describe, expect, it } from "vitest";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { mergeCards } from "./cards.ts";

const card = (id: number, content = "same") =>
  ({ id, content, edited_at: null, author_history: {} }) as DeckCard;
const ids = (cards: readonly DeckCard[]) => cards.map((each) => each.id);
const none: (id: number) => boolean = () => false;
const merge = (loaded: DeckCard[], items: DeckCard[], { count = 20, passed = none, held = true } = {}) =>
  mergeCards(loaded, { items, count }, passed, () => held);

describe("mergeCards", () => {
  it("keeps the order of the loaded cards and appends new ones", () => {
    const { cards, lost } = merge([card(3), card(1)], [card(1), card(2), card(3)]);
    expect([ids(cards), ids(lost)]).toEqual([[3, 1, 2], []]);
  });

  it("keeps the object of an unchanged card and replaces a changed one", () => {
    const [kept, edited] = [card(1), card(2)];
    const { cards } = merge([kept, edited], [card(1), card(2, "other")]);
    expect(cards[0]).toBe(kept);
    expect(cards[1]?.content).toBe("other");
  });

  it("ignores cards decided while the request was running", () => {
    const { cards } = merge([card(2)], [card(1), card(2)], { passed: (id) => id === 1 });
    expect(ids(cards)).toEqual([2]);
  });

  it("keeps a card restored by an undo that the server has not seen", () => {
    const { cards, lost } = merge([card(9), card(2)], [card(2)], { passed: (id) => id === 9 });
    expect([ids(cards), ids(lost)]).toEqual([[9, 2], []]);
  });

  it("drops lost cards but keeps the card on top", () => {
    const { cards, lost } = merge([card(1), card(2), card(3)], [card(3), card(4)]);
    expect([ids(cards), ids(lost)]).toEqual([
      [1, 3, 4],
      [1, 2],
    ]);
  });

  it("keeps leased cards that a full answer omits", () => {
    const full = [card(3), card(4)];
    expect(ids(merge([card(1), card(2)], full, { count: 2 }).cards)).toEqual([1, 2, 3, 4]);
    expect(ids(merge([card(1), card(2)], full, { count: 2, held: false }).cards)).toEqual([1, 3, 4]);
  });
});
