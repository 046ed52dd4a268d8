import type { ApiFailure } from "#lib/client/api-failure.ts";
import { plainText } from "#lib/client/plain-text.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import type { DecisionOutcome } from "./outbox.ts";

/* State of the desk and its changes, without effects. The store sends decisions and requests cards. */

export type DecisionKind = RecentDecision["decision"];

/** `edited` has the new version of a card on top, if that is known. `refused` carries the server's sentence. */
export type Conflict =
  | { kind: "edited"; card?: DeckCard }
  | { kind: "leased" }
  | { kind: "deleted" }
  | { kind: "decided"; approved: boolean; by: string | null }
  | { kind: "refused"; detail: string };

export interface Entry {
  id: string;
  post_id: number;
  decision: DecisionKind;
  reason: string | null;
  /** ISO. */
  at: string;
  author: string;
  snippet: string;
  emojis: RecentDecision["emojis"];
  /** `waiting` and `undoing` are not confirmed yet. */
  status: "waiting" | "saved" | "undoing" | "conflict";
  conflict?: Conflict;
  /** Too late to undo. */
  closed?: boolean;
  /** Returned by an undo; null after a reload. */
  card: DeckCard | null;
  /** Decided on an earlier day. */
  is_uncounted?: boolean;
  /** Id of the unconfirmed undo. */
  undo_id?: string;
}

export type DeskEvent =
  | { kind: "decided" | "undone" | "conflict"; entry: Entry }
  | { kind: "undo_refused"; conflict: Conflict }
  | { kind: "card_lost"; conflict: Conflict }
  | { kind: "card_edited" }
  | { kind: "nothing_to_undo" };

export interface DeskState {
  cards: readonly DeckCard[];
  /** Leased ones included. Null until counted. */
  remaining: number | null;
  /** `remaining` is a lower bound. */
  remaining_is_more: boolean;
  /** Not in `remaining`: on the desks of others. */
  leased_to_others: number;
  /** The search was incomplete and found too few cards. */
  incomplete_results: boolean;
  phase: "loading" | "ready" | "failed";
  failure: ApiFailure | null;
  /** Own decisions, newest first. */
  history: readonly Entry[];
  /** Own decisions since the desk was loaded, less undone ones. */
  decided: number;
  /** Why the card on top cannot be decided. */
  conflict: Conflict | null;
  /** The card that leaves the screen. */
  leaving: { card: DeckCard; decision: DecisionKind } | null;
  /** To announce; a new object each time. */
  event: DeskEvent | null;
}

export const emptyDesk: DeskState = {
  cards: [],
  remaining: null,
  remaining_is_more: false,
  leased_to_others: 0,
  incomplete_results: false,
  phase: "loading",
  failure: null,
  history: [],
  decided: 0,
  conflict: null,
  leaving: null,
  event: null,
};

export type Action =
  | { type: "open" }
  /** `unheard`: posts whose decision or undo the answer cannot know. `next`: to show next. */
  | { type: "load"; deck: Deck; unheard: ReadonlySet<number>; next: ReadonlySet<number> }
  | { type: "fail"; failure: ApiFailure }
  /** With a conflict, only the history shows the decision. */
  | { type: "decide"; entry: Entry }
  | { type: "undo"; entry: Entry; undo_id: string }
  | { type: "sent"; id: string; post?: DecisionOutcome["post"] }
  | { type: "refused"; id: string; conflict: Conflict; post?: DecisionOutcome["post"] }
  /** The card cannot be decided any more. */
  | { type: "lost"; post_id: number; conflict: Conflict }
  /** Decided elsewhere. */
  | { type: "drop" | "restore"; cards: readonly DeckCard[] }
  | { type: "showEdited"; card: DeckCard }
  | { type: "know"; entry: Entry }
  | { type: "dismiss"; id: string }
  | { type: "nothingToUndo" };

export const HISTORY_LENGTH = 50;
/** Loaded at once. */
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
      return { ...state, failure: action.failure, phase: top ? state.phase : "failed" };
    case "decide": {
      const { entry } = action;
      const isRefused = entry.status === "conflict";
      const left = without(cards, entry);
      return {
        ...counted(state, entry, isRefused ? 0 : 1),
        cards: isRefused ? left : withAuthors(left, entry, 1),
        remaining: less(state, entry.decision === "skip" ? 0 : cards.length - left.length),
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
        ...counted(state, entry, -1),
        cards: card ? [card, ...others] : others,
        remaining: less(state, card === null || entry.decision === "skip" ? 0 : -1),
        history: withChanged(history, entry.id, { status: "undoing", undo_id }),
        leaving: null,
        conflict: card ? null : state.conflict,
        event: { kind: "undone", entry },
      };
    }
    case "sent": {
      const known = history.find(({ id }) => id === action.id);
      // Decided before the page was loaded, and not yet counted.
      const isNew = known?.status === "waiting" && known.card === null;
      return {
        ...(isNew ? counted(state, known, 1) : state),
        history: history.flatMap((entry) => {
          if (entry.undo_id === action.id) return [];
          if (entry.id !== action.id) return [entry];
          const status = entry.status === "undoing" ? "undoing" : "saved";
          return [{ ...entry, ...described(entry, action.post), status }];
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
    case "drop": {
      const gone = new Set(action.cards);
      const left = cards.filter((card) => !gone.has(card));
      return { ...state, cards: left, remaining: less(state, cards.length - left.length), conflict: null };
    }
    case "restore":
      return { ...state, cards: [...action.cards, ...cards], remaining: less(state, -action.cards.length) };
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

function afterLoad(state: DeskState, { deck, unheard, next }: Action & { type: "load" }): DeskState {
  const { cards, edited } = mergeCards(state.cards, deck.items, unheard);
  const [top, ...rest] = cards;
  const isNext = ({ id }: DeckCard) => next.has(id);
  // The server counted these posts before their decisions.
  const early = deck.items.filter(({ id }) => unheard.has(id)).length;
  const conflict: Conflict | null = edited ? { kind: "edited", card: edited } : state.conflict;
  return {
    ...state,
    cards: top ? [top, ...rest.filter(isNext), ...rest.filter((card) => !isNext(card))] : [],
    remaining: Math.max(cards.length, deck.remaining - early),
    remaining_is_more: deck.remaining_is_more,
    leased_to_others: deck.leased_to_others,
    incomplete_results: deck.incomplete_results ?? false,
    phase: "ready",
    failure: null,
    conflict,
    event: edited && !state.conflict && conflict ? { kind: "card_lost", conflict } : state.event,
  };
}

/** A refused undo lets the decision stand; its cards leave again, but never the one on top. */
function afterRefusal(state: DeskState, { id, conflict, post }: Action & { type: "refused" }): DeskState {
  const { cards, history } = state;
  const entry = history.find((each) => each.id === id || each.undo_id === id);
  if (!entry) return state;
  if (entry.undo_id !== id) {
    const refused: Entry = { ...entry, ...described(entry, post), status: "conflict", conflict };
    return {
      ...counted(state, entry, entry.card ? -1 : 0),
      cards: withAuthors(cards, entry, -1),
      history: withChanged(history, entry.id, refused),
      event: { kind: "conflict", entry: refused },
    };
  }
  const [top] = cards;
  const isOnTop = entry.card !== null && entry.post_id === top?.id;
  return {
    ...counted(state, entry, 1),
    cards: withAuthors(isOnTop ? cards : without(cards, entry), entry, 1),
    history: withChanged(history, entry.id, { status: "saved", closed: true, conflict }),
    conflict: isOnTop ? conflict : state.conflict,
    event: { kind: "undo_refused", conflict },
  };
}

/**
 * Never replaces the card on top, nor its text: a key pressed at that moment would decide an unseen post. Cards missing
 * from the answer are no longer leased to this desk; the one on top stays and is `lost`.
 *
 * @param unheard posts with an unconfirmed decision or undo: neither added nor removed
 * @returns `edited`: another version of the card on top
 */
export function mergeCards(
  current: readonly DeckCard[],
  items: readonly DeckCard[],
  unheard: ReadonlySet<number>,
): { cards: DeckCard[]; lost: DeckCard | null; edited: DeckCard | null } {
  const listed = new Map(items.map((card) => [card.id, card]));
  // A full answer may leave out cards of this desk.
  const mayMiss = items.length >= MAX_CARDS;
  const isHeld = (card: DeckCard) =>
    unheard.has(card.id) || (mayMiss && Date.parse(card.lease_expires_at) > Date.now());
  const [top] = current;
  const fresh = top && listed.get(top.id);
  const edited = fresh && fresh.version !== top.version ? fresh : null;
  const kept = current.flatMap((card) => {
    const now = card === top && edited ? card : listed.get(card.id);
    if (now) return [now];
    return card === top || isHeld(card) ? [card] : [];
  });
  const known = new Set(kept.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id) && !unheard.has(id));
  return { cards: [...kept, ...added], lost: top && !fresh && !isHeld(top) ? top : null, edited };
}

function less({ remaining }: DeskState, by: number): number | null {
  return remaining === null ? null : Math.max(0, remaining - by);
}

function counted(state: DeskState, { decision, is_uncounted }: Entry, by: 1 | 0 | -1): DeskState {
  return { ...state, decided: state.decided + (decision === "skip" || is_uncounted ? 0 : by) };
}

function without(cards: readonly DeckCard[], { post_id }: Entry): readonly DeckCard[] {
  return cards.filter(({ id }) => id !== post_id);
}

/** The figures of other cards by the author of a decided post, until the next answer. */
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

function withEntry(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = entries.filter(({ post_id }) => post_id !== entry.post_id);
  return [entry, ...others].slice(0, HISTORY_LENGTH);
}

function withChanged(entries: readonly Entry[], id: string, change: Partial<Entry>): Entry[] {
  return entries.map((each) => (each.id === id ? { ...each, ...change } : each));
}

/** Author and text of a decision of an earlier tab. */
function described(entry: Entry, post: DecisionOutcome["post"] = null): Partial<Entry> {
  if (!post) return {};
  const { author_account: author, content, emojis, reject_reason_label: label } = post;
  const reason = entry.reason ?? label ?? null;
  return entry.author === "" ? { author, snippet: snippetOf(content), emojis, reason } : { reason };
}

/** One line of at most `length` characters. */
export function snippetOf(html: string, length = 140): string {
  return plainText(html).replace(/\s+/g, " ").slice(0, length);
}

/** A decision about a card that the server has not confirmed yet. */
export function entryOf(card: DeckCard, id: string, decision: DecisionKind, reason: string | null): Entry {
  return {
    id,
    post_id: card.id,
    decision,
    reason,
    at: new Date().toISOString(),
    author: card.author_account,
    snippet: snippetOf(card.content) || card.spoiler_text || "",
    emojis: card.emojis,
    status: "waiting",
    card,
  };
}

export function isUndoable({ status, closed }: Entry): boolean {
  return (status === "waiting" || status === "saved") && closed !== true;
}

/** The server's decisions, then unsent ones of earlier tabs. */
export function firstHistory(recent: readonly RecentDecision[], pending: readonly Decision[]): Entry[] {
  const saved = recent.map(({ author_account: author, is_today, ...decision }): Entry => ({
    ...decision,
    is_uncounted: !is_today,
    id: `before-${decision.post_id}`,
    author,
    status: "saved",
    card: null,
  }));
  return pending.reduce(withPending, saved);
}

/** From another tab or before a reload. The server's answer fills in author and text. */
export function withPending(entries: Entry[], { id, post_id, decision, decided_at }: Decision): Entry[] {
  const known = entries.find((entry) => entry.post_id === post_id);
  if (decision === "undo")
    return known ? withChanged(entries, known.id, { status: "undoing", undo_id: id }) : entries;
  return withEntry(entries, {
    ...(known ?? { author: "", snippet: "", emojis: [], card: null }),
    id,
    post_id,
    decision,
    reason: null,
    is_uncounted: false,
    at: decided_at ?? new Date().toISOString(),
    status: "waiting",
  });
}
