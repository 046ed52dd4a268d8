import type { DeckCard } from "#lib/review/deck-schema.ts";

/** Most cards one request leases (contract §7). */
export const MAX_CARDS = 20;
/** Asked for again from here on: enough in hand for a cut of ten seconds at a decision a second. */
export const REFILL_AT = 15;

export interface DeckAnswer {
  items: DeckCard[];
  /** How many cards were asked for. */
  count: number;
}

/**
 * What is in hand after an answer. The card on top is never changed for another one: a key pressed in that
 * moment would decide a post nobody has seen. Cards the server no longer lists as ours have been decided or
 * leased by somebody else; the one on top stays and is named in `lost`.
 *
 * @param passed posts with a decision or undo the answer cannot know of: neither brought in nor taken away
 * @param isHeld whether the lease of a card in hand still runs, as last heard
 */
export function mergeCards(
  hand: readonly DeckCard[],
  answer: DeckAnswer,
  passed: (postId: number) => boolean,
  isHeld: (card: DeckCard) => boolean,
): { cards: DeckCard[]; lost: DeckCard[] } {
  const listed = new Map(answer.items.map((card) => [card.id, card]));
  // A full answer may have left out cards that are still ours.
  const complete = answer.items.length < answer.count;
  const cards: DeckCard[] = [];
  const lost: DeckCard[] = [];
  hand.forEach((card, place) => {
    const fresh = listed.get(card.id);
    if (fresh) cards.push(isSameText(card, fresh) ? card : fresh);
    else if (passed(card.id) || (!complete && isHeld(card))) cards.push(card);
    else {
      lost.push(card);
      if (place === 0) cards.push(card);
    }
  });
  const held = new Set(cards.map((card) => card.id));
  for (const card of answer.items) if (!held.has(card.id) && !passed(card.id)) cards.push(card);
  return { cards, lost };
}

/** Nothing a reviewer reads has changed: the same object stays, and the card is not drawn again. */
function isSameText(card: DeckCard, fresh: DeckCard): boolean {
  return card.edited_at === fresh.edited_at && card.content === fresh.content;
}
