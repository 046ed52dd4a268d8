import type { DeckCard } from "#lib/review/deck-schema.ts";

/** Limit of one request. */
export const MAX_CARDS = 20;
/** Covers a 10-second outage at one decision a second. */
export const REFILL_AT = 15;

export interface DeckResponse {
  items: DeckCard[];
  count: number;
}

/**
 * Never replaces the card on top, nor its text: a key pressed at that moment would decide an unseen post. Cards missing
 * from the response are no longer leased to this desk.
 *
 * @param isPending posts with an unconfirmed decision or undo: neither added nor removed
 * @param isHeld whether the lease still runs, as last known
 * @returns `edited`: another version of the card on top
 */
export function mergeCards(
  current: readonly DeckCard[],
  answer: DeckResponse,
  isPending: (postId: number) => boolean,
  isHeld: (card: DeckCard) => boolean,
): { cards: DeckCard[]; lost: DeckCard[]; edited: DeckCard | null } {
  const listed = new Map(answer.items.map((card) => [card.id, card]));
  // A full response may omit cards that are leased to this desk.
  const complete = answer.items.length < answer.count;
  const cards: DeckCard[] = [];
  const lost: DeckCard[] = [];
  let edited: DeckCard | null = null;
  current.forEach((card, index) => {
    const fresh = listed.get(card.id);
    if (fresh && index === 0 && fresh.version !== card.version) {
      edited = fresh;
      cards.push(card);
    } else if (fresh) cards.push(isSame(card, fresh) ? card : fresh);
    else if (isPending(card.id) || (!complete && isHeld(card))) cards.push(card);
    else {
      lost.push(card);
      if (index === 0) cards.push(card);
    }
  });
  const held = new Set(cards.map((card) => card.id));
  for (const card of answer.items) if (!held.has(card.id) && !isPending(card.id)) cards.push(card);
  return { cards, lost, edited };
}

/** Moves these cards right behind the one on top. */
export function withNext(cards: readonly DeckCard[], ids: ReadonlySet<number>): DeckCard[] {
  const [top, ...rest] = cards;
  if (top === undefined) return [];
  return [top, ...rest.filter(({ id }) => ids.has(id)), ...rest.filter(({ id }) => !ids.has(id))];
}

/** After decisions on posts of the author, or their undo (`by` above 0). */
export function withWaiting(cards: readonly DeckCard[], account: string, by: number): DeckCard[] {
  return cards.map((card) =>
    card.author_account === account
      ? { ...card, author_waiting: Math.max(0, card.author_waiting + by) }
      : card,
  );
}

/** An unchanged card keeps its object, so it is not drawn again. */
function isSame(card: DeckCard, fresh: DeckCard): boolean {
  return (
    card.version === fresh.version &&
    card.content === fresh.content &&
    card.ai_would_reject === fresh.ai_would_reject &&
    card.ai_score === fresh.ai_score &&
    card.vision_category === fresh.vision_category &&
    card.pictures_waiting === fresh.pictures_waiting &&
    card.media_covered === fresh.media_covered &&
    card.author_history.approved === fresh.author_history.approved &&
    card.author_history.rejected === fresh.author_history.rejected
  );
}
