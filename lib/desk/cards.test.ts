import { describe, expect, it } from "vitest";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { mergeCards } from "./cards.ts";

const card = (id: number, content = "same") => ({ id, content, edited_at: null }) as DeckCard;
const ids = (cards: readonly DeckCard[]) => cards.map((each) => each.id);
const none: (id: number) => boolean = () => false;
const merge = (hand: DeckCard[], items: DeckCard[], { count = 20, passed = none, held = true } = {}) =>
  mergeCards(hand, { items, count }, passed, () => held);

describe("mergeCards", () => {
  it("keeps the order in hand and puts new cards behind", () => {
    const { cards, lost } = merge([card(3), card(1)], [card(1), card(2), card(3)]);
    expect([ids(cards), ids(lost)]).toEqual([[3, 1, 2], []]);
  });

  it("does not draw a card again whose words are the same, and does when they changed", () => {
    const [kept, edited] = [card(1), card(2)];
    const { cards } = merge([kept, edited], [card(1), card(2, "other")]);
    expect(cards[0]).toBe(kept);
    expect(cards[1]?.content).toBe("other");
  });

  it("leaves out what was decided while the answer was on its way", () => {
    const { cards } = merge([card(2)], [card(1), card(2)], { passed: (id) => id === 1 });
    expect(ids(cards)).toEqual([2]);
  });

  it("keeps a card an undo brought back before the server knew of it", () => {
    const { cards, lost } = merge([card(9), card(2)], [card(2)], { passed: (id) => id === 9 });
    expect([ids(cards), ids(lost)]).toEqual([[9, 2], []]);
  });

  it("drops what is not ours any more, but never changes the card on top", () => {
    const { cards, lost } = merge([card(1), card(2), card(3)], [card(3), card(4)]);
    expect([ids(cards), ids(lost)]).toEqual([
      [1, 3, 4],
      [1, 2],
    ]);
  });

  it("keeps what a full answer may have left out, while its lease runs", () => {
    const full = [card(3), card(4)];
    expect(ids(merge([card(1), card(2)], full, { count: 2 }).cards)).toEqual([1, 2, 3, 4]);
    expect(ids(merge([card(1), card(2)], full, { count: 2, held: false }).cards)).toEqual([1, 3, 4]);
  });
});
