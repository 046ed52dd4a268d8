import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { CardSupply, type SupplyResult } from "./card-supply.ts";
import { REFILL_AT } from "./cards.ts";
import {
  firstHistory,
  isApplied,
  isUndoable,
  lastUndoable,
  conflictOf,
  snippetOf,
  withEntry,
  withOutcomes,
  withPending,
  type HistoryEntry,
  type DecisionKind,
} from "./history.ts";
import { explainConflict } from "./conflict.ts";
import { newId } from "./new-id.ts";
import { emptyDesk, type DeskEvent, type DeskState, type DecisionDetails } from "./state.ts";
import type { DecisionOutcome, Outbox } from "./outbox.ts";

/**
 * The desk outside React: a key press changes it and the next card is drawn from it without waiting for anything.
 * Cards come from the supply, decisions leave through the outbox.
 */
export class DeskStore {
  private state: DeskState;
  private readonly outbox: Outbox;
  private readonly supply: CardSupply;
  private readonly listeners = new Set<() => void>();
  private readonly eventListeners = new Set<(news: DeskEvent) => void>();
  private readonly endOutcomes: () => void;

  constructor(outbox: Outbox, recent: readonly RecentDecision[]) {
    this.outbox = outbox;
    this.state = { ...emptyDesk, history: firstHistory(recent, outbox.pending()) };
    this.supply = new CardSupply({
      cards: () => this.state.cards,
      pending: () => outbox.pending().map((decision) => decision.post_id),
      applyResult: (taken) => this.take(taken),
      fail: (failure) => this.fail(failure),
    });
    this.endOutcomes = outbox.onOutcomes((fates) => this.settle(fates));
  }

  getState = (): DeskState => this.state;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  onEvent = (listener: (news: DeskEvent) => void): (() => void) => {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  };

  /** Begins anew with other filters; `query` is the query of GET /review/deck without `count`. */
  open(query: string): void {
    this.change({ ...emptyDesk, history: this.state.history });
    this.supply.open(query);
  }

  close(): void {
    this.supply.close();
    this.endOutcomes();
  }

  /** Decides on the card on top; the next one is on top when this returns. */
  decide(decision: DecisionKind, said: DecisionDetails = {}): void {
    const [card, ...rest] = this.state.cards;
    if (!card) return;
    const { topConflict: lost } = this.state;
    const isLost = lost?.post_id === card.id;
    const entry: HistoryEntry = {
      // A card that is not ours any more only makes room; the list says why the decision did not count.
      id: isLost ? newId() : this.send(card.id, decision, said),
      post_id: card.id,
      decision,
      reason: said.reason ?? null,
      at: new Date().toISOString(),
      author: card.author_account,
      snippet: snippetOf(card.content) || card.spoiler_text || "",
      emojis: card.emojis,
      status: isLost ? "met" : "waiting",
      card,
      ...(isLost && lost.loss !== null ? { conflict: lost.loss } : {}),
    };
    this.supply.forget(card.id);
    this.change({
      cards: rest,
      lastDecided: { card, decision },
      topConflict: null,
      remaining: this.remainingLess(decision === "skip" ? 0 : 1),
      history: withEntry(this.state.history, entry),
    });
    this.emit({ kind: isLost ? "met" : "decided", entry });
    if (rest.length <= REFILL_AT && this.state.search_after === null) this.supply.request();
  }

  /** Takes a decision back, the last one unless told which; the card is on top again at once where it is known. */
  undo(which?: HistoryEntry): void {
    const entry = which ?? lastUndoable(this.state.history);
    if (!entry || !isUndoable(entry)) return this.emit({ kind: "nothing_to_undo" });
    const { card } = entry;
    const undo_id = this.send(entry.post_id, "undo");
    const comesBack = card !== undefined && !entry.earlier?.length;
    this.change({
      history: this.state.history.map((each) =>
        each.id === entry.id ? { ...each, status: "undoing" as const, undo_id } : each,
      ),
      ...(comesBack
        ? {
            cards: [card, ...this.state.cards.filter(({ id }) => id !== card.id)],
            lastDecided: null,
            topConflict: null,
          }
        : {}),
      remaining: this.remainingLess(comesBack && entry.decision !== "skip" ? -1 : 0),
    });
    this.emit({ kind: "undone", entry });
  }

  /** Approves what was rejected, or the other way round, without looking at the card again. */
  changeDecision(entry: HistoryEntry, decision: "approve" | "reject"): void {
    if (!isUndoable(entry) || entry.decision === decision) return;
    const changed: HistoryEntry = {
      ...entry,
      id: this.send(entry.post_id, decision),
      decision,
      reason: null,
      status: "waiting",
      at: new Date().toISOString(),
      earlier: [...(entry.earlier ?? []), { id: entry.id, decision: entry.decision }],
    };
    this.change({ history: this.state.history.map((each) => (each.id === entry.id ? changed : each)) });
    this.emit({ kind: "decided", entry: changed });
  }

  /** Takes a line that has been read from the list. */
  dismiss(entry: HistoryEntry): void {
    this.change({ history: this.state.history.filter((each) => each.id !== entry.id) });
  }

  /** Something of the cards in hand has changed here: a block, a standing. */
  patchCards(change: (card: DeckCard) => DeckCard): void {
    this.change({ cards: this.state.cards.map(change) });
  }

  /** The reviewer is at work: leases that end soon, or have ended, are asked for again. Idle cards are let go. */
  renewLeases(): void {
    this.supply.renew();
  }

  /** Asks for cards now: after a failure, or because there may be new ones. */
  retry(): void {
    if (this.state.phase === "failed") this.change({ phase: "loading", failure: null });
    this.supply.request();
  }

  private send(postId: number, decision: DecisionKind | "undo", said: DecisionDetails = {}): string {
    const id = newId();
    this.outbox.add({
      id,
      post_id: postId,
      decision,
      ...(said.reason ? { reason: said.reason } : {}),
      ...(said.note ? { note: said.note } : {}),
      decided_at: new Date().toISOString(),
    });
    return id;
  }

  private take({ lost, ...taken }: SupplyResult): void {
    this.change({ ...taken, phase: "ready", failure: null });
    const top = taken.cards[0];
    if (top && lost.includes(top)) this.markTopConflict(top);
  }

  private fail(failure: ApiFailure): void {
    this.change({ failure, ...(this.state.cards.length === 0 ? { phase: "failed" as const } : {}) });
  }

  /** Keeps the card on top where it is and finds out what became of it. */
  private markTopConflict(card: DeckCard): void {
    this.change({ topConflict: { post_id: card.id, loss: null } });
    void explainConflict(card.id).then((loss) => {
      if (this.state.topConflict?.post_id !== card.id) return;
      this.change({ topConflict: { post_id: card.id, loss } });
      this.emit({ kind: "lost", loss });
    });
  }

  private settle(fates: readonly DecisionOutcome[]): void {
    this.supply.settle(fates.map(({ decision }) => decision.post_id));
    for (const fate of fates) this.settleOne(fate);
    // An answer from before counted these as still in hand and had no room for new ones.
    const { cards, remaining, search_after } = this.state;
    if (search_after === null && cards.length <= REFILL_AT && (remaining ?? 0) > cards.length)
      this.supply.request();
  }

  private settleOne(fate: DecisionOutcome): void {
    const { decision } = fate;
    const isUndo = decision.decision === "undo";
    const isOf = (entry: HistoryEntry) => (isUndo ? entry.undo_id : entry.id) === decision.id;
    let entry = this.state.history.find(isOf);
    if (!entry && !isApplied(fate) && !isUndo) {
      // Of another tab, perhaps closed by now: what it met must not go unseen.
      this.change({ history: withPending(this.state.history, decision) });
      entry = this.state.history.find(isOf);
    }
    this.change({ history: withOutcomes(this.state.history, [fate]) });
    if (!entry) {
      if (isApplied(fate) && !isUndo) this.removeDecidedElsewhere(decision);
      return;
    }
    if (isApplied(fate)) {
      // Its card is not known here, but it is ours again: the deck brings it.
      if (isUndo && !entry.card) this.supply.request();
    } else if (isUndo) {
      const loss = conflictOf(fate);
      const isOnTop = this.state.cards[0]?.id === entry.post_id;
      if (isOnTop) this.change({ topConflict: { post_id: entry.post_id, loss } });
      else this.change({ cards: this.state.cards.filter((card) => card.id !== decision.post_id) });
      this.emit({ kind: "undo_refused", entry, loss });
    } else {
      this.emit({ kind: "met", entry: this.state.history.find(isOf) ?? entry });
    }
  }

  /** Another tab of the same person has decided: the card goes; on top it stays until a key, and says so. */
  private removeDecidedElsewhere({ post_id, decision }: Decision): void {
    const { cards } = this.state;
    const card = cards.find(({ id }) => id === post_id);
    if (!card) return;
    const isSkip = decision === "skip";
    if (card !== cards[0]) {
      this.supply.forget(post_id);
      this.change({
        cards: cards.filter((each) => each !== card),
        remaining: this.remainingLess(isSkip ? 0 : 1),
      });
    } else if (!isSkip) this.markTopConflict(card);
    if (this.state.cards.length <= REFILL_AT) this.supply.request();
  }

  private remainingLess(by: number): number | null {
    const { remaining } = this.state;
    return remaining === null ? null : Math.max(0, remaining - by);
  }

  private emit(news: DeskEvent): void {
    for (const listener of this.eventListeners) listener(news);
  }

  private change(next: Partial<DeskState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }
}
