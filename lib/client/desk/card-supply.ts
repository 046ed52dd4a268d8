import { asFailure, type ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import { MAX_CARDS, mergeCards, REFILL_AT } from "./cards.ts";
import { releaseFinished } from "./release-cards.ts";

/** Activity renews leases with less time left. */
const RENEW_BEFORE_MS = 5 * 60_000;
/** Pauses after a response without new cards, and after a failure. */
const QUIET_PAUSE_MS = 2_000;
const FAILED_PAUSE_MS = 3_000;

export interface SupplyResult {
  cards: DeckCard[];
  /** The card on top is still in `cards`. */
  lost: DeckCard[];
  /** Another version of the card on top. */
  edited: DeckCard | null;
  remaining: number;
  remaining_is_more: boolean;
  leased_to_others: number;
  incomplete_results: boolean;
}

export interface SupplyTarget {
  cards: () => readonly DeckCard[];
  /** No answer can reflect unconfirmed decisions. */
  pending: () => Iterable<number>;
  /** Adds decisions that the answer cannot reflect to the record of the card's author. */
  withUnheard: (card: DeckCard, isUnheard: (postId: number) => boolean) => DeckCard;
  applyResult: (taken: SupplyResult) => void;
  fail: (failure: ApiFailure) => void;
}

export class CardSupply {
  private readonly target: SupplyTarget;
  private readonly leaseEnds = new Map<number, number>();
  /** When each post's decision was answered. Decks requested before are stale for that post. */
  private readonly settledAt = new Map<number, number>();
  private query = "";
  /** Answers of an earlier generation are ignored. */
  private generation = 0;
  private requesting = false;
  /** The running request began too early for a card that must come back. */
  private again = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(target: SupplyTarget) {
    this.target = target;
  }

  /** `query`: GET /review/deck without `count`. */
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

  /** Unless a request is running. */
  request(wait = 0): void {
    if (this.requesting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refill(), wait);
  }

  /** After the running request, if any. */
  requestAgain(): void {
    if (this.requesting) this.again = true;
    else this.request();
  }

  renew(): void {
    const first = Math.min(Infinity, ...this.leaseEnds.values());
    if (first - Date.now() < RENEW_BEFORE_MS) this.request();
  }

  /** Returned by an undo: leased until the answer tells otherwise. */
  keep({ id, lease_expires_at }: DeckCard): void {
    this.leaseEnds.set(id, Date.parse(lease_expires_at));
  }

  forget(postId: number): void {
    this.leaseEnds.delete(postId);
  }

  settle(postIds: Iterable<number>): void {
    const now = performance.now();
    for (const id of postIds) this.settledAt.set(id, now);
  }

  private async refill(): Promise<void> {
    if (this.requesting) return;
    this.requesting = true;
    this.again = false;
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
      // The same filters would be refused again.
      next = failure.status === 422 ? null : (failure.retryAfter ?? 0) * 1000 + FAILED_PAUSE_MS;
    }
    this.requesting = false;
    if (this.again) this.request();
    else if (next !== null) this.request(next);
  }

  /** @returns milliseconds until the next request, or null for none */
  private take(deck: Deck, began: number): number | null {
    const pending = new Set(this.target.pending());
    const passed = (id: number) => pending.has(id) || (this.settledAt.get(id) ?? -1) > began;
    for (const card of deck.items) this.leaseEnds.set(card.id, Date.parse(card.lease_expires_at));
    const before = this.target.cards();
    const { cards, lost, edited } = mergeCards(
      before,
      { items: deck.items.map((card) => this.target.withUnheard(card, passed)), count: MAX_CARDS },
      passed,
      (card) => (this.leaseEnds.get(card.id) ?? 0) > Date.now(),
    );
    for (const card of lost) this.leaseEnds.delete(card.id);
    for (const id of this.leaseEnds.keys())
      if (!cards.some((card) => card.id === id)) this.leaseEnds.delete(id);
    // The server counted these posts before their decisions.
    const unheard = deck.items.filter((card) => passed(card.id)).length;
    const remaining = Math.max(cards.length, deck.remaining - unheard);
    const { remaining_is_more, leased_to_others, incomplete_results = false } = deck;
    this.target.applyResult({
      cards,
      lost,
      edited,
      remaining,
      remaining_is_more,
      leased_to_others,
      incomplete_results,
    });
    // A second request would search the same posts.
    if (incomplete_results) return null;
    if (cards.length > REFILL_AT || remaining <= cards.length) return null;
    return cards.length > before.length ? 0 : QUIET_PAUSE_MS;
  }
}
