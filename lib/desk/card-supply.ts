import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import { asFailure, type ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { MAX_CARDS, mergeCards, REFILL_AT } from "./cards.ts";
import { releaseFinished } from "./presence.ts";

/** Leases are asked for again by somebody who is at work when less than this is left. */
const RENEW_BEFORE = 5 * 60_000;
/** After an answer that brought nothing new, and after a failure. */
const QUIET_PAUSE = 2_000;
const FAILED_PAUSE = 3_000;

/** What is in hand after an answer. */
export interface SupplyResult {
  cards: DeckCard[];
  /** Not ours any more; the one on top is still among `cards`. */
  lost: DeckCard[];
  remaining: number;
  remaining_is_more: boolean;
  search_after: string | null;
}

/** Whose hand is filled. */
export interface SupplyTarget {
  cards: () => readonly DeckCard[];
  /** Posts with a decision on its way, which no answer can know of. */
  pending: () => Iterable<number>;
  applyResult: (taken: SupplyResult) => void;
  fail: (failure: ApiFailure) => void;
}

/** Cards by lease, ahead of time: when to ask for them, how long they are ours, and what an answer changes. */
export class CardSupply {
  private readonly target: SupplyTarget;
  private readonly leaseEnds = new Map<number, number>();
  /** When each post's last answer came, to see through deck answers that were on their way then. */
  private readonly settledAt = new Map<number, number>();
  private query = "";
  /** Counts the times the deck was opened: answers to an earlier opening are left unread. */
  private generation = 0;
  private requesting = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(hand: SupplyTarget) {
    this.target = hand;
  }

  /** Begins anew; `query` is the query of GET /review/deck without `count`. */
  open(query: string): void {
    this.query = query;
    this.generation += 1;
    this.requesting = false;
    clearTimeout(this.timer);
    this.leaseEnds.clear();
    void this.refill();
  }

  close(): void {
    this.generation += 1;
    clearTimeout(this.timer);
  }

  /** Asks for cards after `wait` milliseconds, unless an answer is on its way. */
  request(wait = 0): void {
    if (this.requesting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refill(), wait);
  }

  /** Asks for leases that end soon, or have ended. */
  renew(): void {
    const first = Math.min(Infinity, ...this.leaseEnds.values());
    if (first - Date.now() < RENEW_BEFORE) this.request();
  }

  /** A card has left the hand. */
  forget(postId: number): void {
    this.leaseEnds.delete(postId);
  }

  /** The server has answered decisions on these posts: it said nothing of them to whom asked before. */
  settle(postIds: Iterable<number>): void {
    const now = performance.now();
    for (const id of postIds) this.settledAt.set(id, now);
  }

  private async refill(): Promise<void> {
    if (this.requesting) return;
    this.requesting = true;
    const { generation: opening } = this;
    const began = performance.now();
    let next: number | null;
    try {
      await releaseFinished();
      const filters = this.query === "" ? "" : `&${this.query}`;
      const deck = await apiFetch<Deck>(`/review/deck?count=${MAX_CARDS}${filters}`);
      if (opening !== this.generation) return;
      next = this.take(deck, began);
    } catch (thrown) {
      if (opening !== this.generation) return;
      const failure = asFailure(thrown);
      this.target.fail(failure);
      // The same filters would be refused again; whoever changes them opens the deck anew.
      next = failure.status === 422 ? null : (failure.retryAfter ?? 0) * 1000 + FAILED_PAUSE;
    }
    this.requesting = false;
    if (next !== null) this.request(next);
  }

  /** Takes an answer in. Returns when to ask again, null when the hand is full or there is no more. */
  private take(deck: Deck, began: number): number | null {
    const pending = new Set(this.target.pending());
    const passed = (id: number) => pending.has(id) || (this.settledAt.get(id) ?? -1) > began;
    for (const card of deck.items) this.leaseEnds.set(card.id, Date.parse(card.lease_expires_at));
    const before = this.target.cards();
    const { cards, lost } = mergeCards(
      before,
      { items: deck.items, count: MAX_CARDS },
      passed,
      (card) => (this.leaseEnds.get(card.id) ?? 0) > Date.now(),
    );
    for (const card of lost) this.leaseEnds.delete(card.id);
    for (const id of this.leaseEnds.keys())
      if (!cards.some((card) => card.id === id)) this.leaseEnds.delete(id);
    // The server counted before it heard of these.
    const unheard = deck.items.filter((card) => passed(card.id)).length;
    const remaining = Math.max(cards.length, deck.remaining - unheard);
    const { remaining_is_more, search_after = null } = deck;
    this.target.applyResult({ cards, lost, remaining, remaining_is_more, search_after });
    // Asked again it would look through the same posts once more; whoever wants to goes on from there.
    if (search_after !== null) return null;
    if (cards.length > REFILL_AT || remaining <= cards.length) return null;
    return cards.length > before.length ? 0 : QUIET_PAUSE;
  }
}
