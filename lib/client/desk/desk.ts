import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import {
  detailsFrom,
  withChanged,
  withEntry,
  type Conflict,
  type DecisionKind,
  type Entry,
} from "./history.ts";
import type { DecisionOutcome } from "./outbox.ts";

/* State of the desk and its changes, without effects. The store sends decisions and requests cards. */

export type DeskEvent =
  | { kind: "decided" | "undone" | "conflict"; entry: Entry }
  | { kind: "undo_refused"; conflict: Conflict }
  | { kind: "card_lost"; conflict: Conflict }
  | { kind: "card_edited" }
  | { kind: "nothing_to_undo" };

export interface DeskState extends Omit<Deck, "items" | "remaining"> {
  cards: readonly DeckCard[];
  /** Posts left, including those on this desk. Null until counted. */
  remaining: number | null;
  /** Failure of the last request for cards. */
  failure: ApiFailure | null;
  /** Own decisions, newest first. */
  history: readonly Entry[];
  /** Own decisions since the desk was loaded, less undone ones. */
  decided: number;
  /** Why the card on top cannot be decided. */
  conflict: Conflict | null;
  /** The card that is animated out. */
  leaving: { card: DeckCard; decision: DecisionKind } | null;
  /** Announced to screen readers. Each event is a new object, so that equal events are announced again. */
  event: DeskEvent | null;
}

export const emptyDesk: DeskState = {
  cards: [],
  remaining: null,
  remaining_is_more: false,
  leased_to_others: 0,
  failure: null,
  history: [],
  decided: 0,
  conflict: null,
  leaving: null,
  event: null,
};

export type Action =
  | { type: "open" }
  /** `alreadyDecided`: posts of this answer whose decision the server has not counted yet. */
  | { type: "load"; deck: Deck; merged: Merged; alreadyDecided: number }
  | { type: "fail"; failure: ApiFailure }
  /** An entry with status `conflict` was not sent; only the history shows it. */
  | { type: "decide"; entry: Entry }
  | { type: "undo"; entry: Entry; undo_id: string }
  | { type: "sent"; id: string; post?: DecisionOutcome["post"] }
  | { type: "refused"; id: string; conflict: Conflict; post?: DecisionOutcome["post"] }
  /** The card cannot be decided any more. */
  | { type: "lost"; post_id: number; conflict: Conflict }
  | { type: "showEdited"; card: DeckCard }
  | { type: "know"; entry: Entry }
  | { type: "dismiss"; id: string }
  | { type: "nothingToUndo" };

/** Cards of one request. */
export const MAX_CARDS = 20;

export function reduce(state: DeskState, action: Action): DeskState {
  const { cards, history } = state;
  const [top, ...rest] = cards;
  switch (action.type) {
    case "open":
      return { ...emptyDesk, history, decided: state.decided };
    case "load":
      return afterLoad(state, action);
    case "fail":
      return { ...state, failure: action.failure };
    case "decide": {
      const { entry } = action;
      const isRefused = entry.status === "conflict";
      const left = without(cards, entry);
      return {
        ...countDecided(state, entry, isRefused ? 0 : 1),
        cards: isRefused ? left : withAuthors(left, entry, 1),
        remaining: remainingAfter(state, entry.decision === "skip" ? 0 : cards.length - left.length),
        history: withEntry(history, entry),
        leaving: entry.card && { card: entry.card, decision: entry.decision },
        conflict: null,
        event: { kind: isRefused ? "conflict" : "decided", entry },
      };
    }
    case "undo": {
      const { entry, undo_id } = action;
      const { card } = entry;
      const others = withAuthors(without(cards, entry), entry, -1);
      return {
        ...countDecided(state, entry, isUncountedYet(entry) ? 0 : -1),
        cards: card ? [card, ...others] : others,
        remaining: remainingAfter(state, card === null || entry.decision === "skip" ? 0 : -1),
        history: withChanged(history, entry.id, { status: "undoing", undo_id }),
        leaving: null,
        conflict: card ? null : state.conflict,
        event: { kind: "undone", entry },
      };
    }
    case "sent": {
      const known = history.find(({ id }) => id === action.id);
      return {
        ...(known && isUncountedYet(known) ? countDecided(state, known, 1) : state),
        history: history.flatMap((entry) => {
          if (entry.undo_id === action.id) return [];
          if (entry.id !== action.id) return [entry];
          const status = entry.status === "undoing" ? "undoing" : "saved";
          return [{ ...entry, ...detailsFrom(entry, action.post), status }];
        }),
      };
    }
    case "refused":
      return afterRefusal(state, action);
    case "lost": {
      const { post_id, conflict } = action;
      if (top?.id !== post_id) return { ...state, cards: cards.filter(({ id }) => id !== post_id) };
      return { ...state, conflict, event: { kind: "card_lost", conflict } };
    }
    case "showEdited":
      return { ...state, cards: [action.card, ...rest], conflict: null, event: { kind: "card_edited" } };
    case "know":
      return { ...state, history: withEntry(history, action.entry) };
    case "dismiss":
      return { ...state, history: history.filter(({ id }) => id !== action.id) };
    case "nothingToUndo":
      return { ...state, event: { kind: "nothing_to_undo" } };
  }
}

function afterLoad(state: DeskState, { deck, merged, alreadyDecided }: Action & { type: "load" }): DeskState {
  const { items: _items, ...counts } = deck;
  const { cards, edited } = merged;
  const conflict: Conflict | null = edited ? { kind: "edited", card: edited } : state.conflict;
  return {
    ...state,
    incomplete_results: undefined,
    ...counts,
    cards,
    remaining: Math.max(cards.length, deck.remaining - alreadyDecided),
    failure: null,
    conflict,
    event: edited && !state.conflict && conflict ? { kind: "card_lost", conflict } : state.event,
  };
}

/** A refused undo leaves the decision in force: its card is removed again, unless it is on top. */
function afterRefusal(state: DeskState, { id, conflict, post }: Action & { type: "refused" }): DeskState {
  const { cards, history } = state;
  const entry = history.find((each) => each.id === id || each.undo_id === id);
  if (!entry) return state;
  if (entry.status === "undoing" && entry.id === id) {
    // Nothing is left to undo, and the post cannot be decided as it is on the screen. The next answer has an edited one.
    const left = { ...state, history: history.filter((each) => each !== entry) };
    return conflict.kind === "edited"
      ? left
      : reduce(left, { type: "lost", post_id: entry.post_id, conflict });
  }
  if (entry.undo_id !== id) {
    const refused: Entry = { ...entry, ...detailsFrom(entry, post), status: "conflict", conflict };
    return {
      ...countDecided(state, entry, entry.card ? -1 : 0),
      cards: withAuthors(cards, entry, -1),
      history: withChanged(history, entry.id, refused),
      event: { kind: "conflict", entry: refused },
    };
  }
  const [top] = cards;
  const isOnTop = entry.card !== null && entry.post_id === top?.id;
  return {
    ...countDecided(state, entry, 1),
    cards: withAuthors(isOnTop ? cards : without(cards, entry), entry, 1),
    history: withChanged(history, entry.id, { status: "saved", closed: true, conflict }),
    conflict: isOnTop ? conflict : state.conflict,
    event: { kind: "undo_refused", conflict },
  };
}

export interface Merged {
  cards: DeckCard[];
  /** The card on top, if this desk does not hold it any more. */
  lost: DeckCard | null;
  /** Another version of the card on top. */
  edited: DeckCard | null;
}

/**
 * Merges the server's cards into the deck. The card on top is never replaced or changed, because a key pressed at that
 * moment would decide an unseen post. Cards that the answer lacks are no longer leased to this desk; if the one on top is
 * missing, it stays and is returned as `lost`.
 *
 * @param unconfirmed posts whose decision or undo the server has not confirmed: neither added nor removed
 * @param showNext posts to show right after the card on top
 */
export function mergeCards(
  current: readonly DeckCard[],
  items: readonly DeckCard[],
  unconfirmed: ReadonlySet<number>,
  showNext: ReadonlySet<number>,
): Merged {
  const listed = new Map(items.map((card) => [card.id, card]));
  // A full answer may omit cards of this desk.
  const mayMiss = items.length >= MAX_CARDS;
  const isHeld = (card: DeckCard) =>
    unconfirmed.has(card.id) || (mayMiss && Date.parse(card.lease_expires_at) > Date.now());
  const [top] = current;
  const fresh = top && listed.get(top.id);
  const edited = fresh && fresh.version !== top.version ? fresh : null;
  const kept = current.flatMap((card) => {
    const now = card === top && edited ? card : listed.get(card.id);
    if (now) return [now];
    return card === top || isHeld(card) ? [card] : [];
  });
  const known = new Set(kept.map(({ id }) => id));
  const cards = [...kept, ...items.filter(({ id }) => !known.has(id) && !unconfirmed.has(id))];
  const place = ({ id }: DeckCard) => (id === top?.id ? 0 : showNext.has(id) ? 1 : 2);
  return {
    cards: cards.toSorted((a, b) => place(a) - place(b)),
    lost: top && !fresh && !isHeld(top) ? top : null,
    edited,
  };
}

function remainingAfter({ remaining }: DeskState, by: number): number | null {
  return remaining === null ? null : Math.max(0, remaining - by);
}

/** Decided before the page was loaded, and not yet known to the server. */
function isUncountedYet({ status, card }: Entry): boolean {
  return status === "waiting" && card === null;
}

function countDecided(state: DeskState, { decision, is_uncounted }: Entry, by: 1 | 0 | -1): DeskState {
  return { ...state, decided: state.decided + (decision === "skip" || is_uncounted ? 0 : by) };
}

function without(cards: readonly DeckCard[], { post_id }: Entry): readonly DeckCard[] {
  return cards.filter(({ id }) => id !== post_id);
}

/** Updates the author's figures on the other cards, until the next answer brings the server's. */
function withAuthors(cards: readonly DeckCard[], { card: of, decision }: Entry, by: 1 | -1) {
  if (!of || decision === "skip") return cards;
  const side = decision === "approve" ? "approved" : "rejected";
  return cards.map((card) => {
    if (card.author_account !== of.author_account) return card;
    const record = card.author_history;
    return {
      ...card,
      author_waiting: Math.max(0, card.author_waiting - by),
      author_history: { ...record, [side]: Math.max(0, record[side] + by) },
    };
  });
}
