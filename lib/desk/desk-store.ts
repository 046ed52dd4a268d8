import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { CardSupply, type Taken } from "./card-supply.ts";
import { REFILL_AT } from "./desk-cards.ts";
import {
  firstHistory,
  isApplied,
  isUndoable,
  lastUndoable,
  lossOf,
  snippetOf,
  withEntry,
  withFates,
  withPending,
  type HistoryEntry,
  type Verb,
} from "./desk-history.ts";
import { explainLoss } from "./desk-loss.ts";
import { newId } from "./desk-new-id.ts";
import { emptyDesk, type DeskNews, type DeskState, type Said } from "./desk-state.ts";
import type { DecisionFate, Outbox } from "./outbox.ts";

/**
 * The desk outside React: a key press changes it and the next card is drawn from it without waiting for anything.
 * Cards come from the supply, decisions leave through the outbox.
 */
export class DeskStore {
  private state: DeskState;
  private readonly outbox: Outbox;
  private readonly supply: CardSupply;
  private readonly listeners = new Set<() => void>();
  private readonly newsListeners = new Set<(news: DeskNews) => void>();
  private readonly endFates: () => void;

  constructor(outbox: Outbox, recent: readonly RecentDecision[]) {
    this.outbox = outbox;
    this.state = { ...emptyDesk, history: firstHistory(recent, outbox.pending()) };
    this.supply = new CardSupply({
      cards: () => this.state.cards,
      pending: () => outbox.pending().map((decision) => decision.post_id),
      take: (taken) => this.take(taken),
      fail: (failure) => this.fail(failure),
    });
    this.endFates = outbox.onFates((fates) => this.settle(fates));
  }

  getState = (): DeskState => this.state;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  onNews = (listener: (news: DeskNews) => void): (() => void) => {
    this.newsListeners.add(listener);
    return () => this.newsListeners.delete(listener);
  };

  /** Begins anew with other filters; `query` is the query of GET /review/deck without `count`. */
  open(query: string): void {
    this.change({ ...emptyDesk, history: this.state.history });
    this.supply.open(query);
  }

  close(): void {
    this.supply.close();
    this.endFates();
  }

  /** Decides on the card on top; the next one is on top when this returns. */
  decide(decision: Verb, said: Said = {}): void {
    const [card, ...rest] = this.state.cards;
    if (!card) return;
    const { lost } = this.state;
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
      ...(isLost && lost.loss !== null ? { loss: lost.loss } : {}),
    };
    this.supply.forget(card.id);
    this.change({
      cards: rest,
      left: { card, decision },
      lost: null,
      remaining: this.less(decision === "skip" ? 0 : 1),
      history: withEntry(this.state.history, entry),
    });
    this.tell({ kind: isLost ? "met" : "decided", entry });
    if (rest.length <= REFILL_AT && this.state.search_after === null) this.supply.ask();
  }

  /** Takes a decision back, the last one unless told which; the card is on top again at once where it is known. */
  undo(which?: HistoryEntry): void {
    const entry = which ?? lastUndoable(this.state.history);
    if (!entry || !isUndoable(entry)) return this.tell({ kind: "nothing_to_undo" });
    const { card } = entry;
    const undo_id = this.send(entry.post_id, "undo");
    const comesBack = card !== undefined && !entry.earlier?.length;
    this.change({
      history: this.state.history.map((each) =>
        each.id === entry.id ? { ...each, status: "undoing" as const, undo_id } : each,
      ),
      ...(comesBack
        ? { cards: [card, ...this.state.cards.filter(({ id }) => id !== card.id)], left: null, lost: null }
        : {}),
      remaining: this.less(comesBack && entry.decision !== "skip" ? -1 : 0),
    });
    this.tell({ kind: "undone", entry });
  }

  /** Approves what was rejected, or the other way round, without looking at the card again. */
  changeMind(entry: HistoryEntry, decision: "approve" | "reject"): void {
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
    this.tell({ kind: "decided", entry: changed });
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
  touch(): void {
    this.supply.renew();
  }

  /** Asks for cards now: after a failure, or because there may be new ones. */
  retry(): void {
    if (this.state.phase === "failed") this.change({ phase: "loading", failure: null });
    this.supply.ask();
  }

  private send(postId: number, decision: Verb | "undo", said: Said = {}): string {
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

  private take({ lost, ...taken }: Taken): void {
    this.change({ ...taken, phase: "ready", failure: null });
    const top = taken.cards[0];
    if (top && lost.includes(top)) this.lose(top);
  }

  private fail(failure: ApiFailure): void {
    this.change({ failure, ...(this.state.cards.length === 0 ? { phase: "failed" as const } : {}) });
  }

  /** Keeps the card on top where it is and finds out what became of it. */
  private lose(card: DeckCard): void {
    this.change({ lost: { post_id: card.id, loss: null } });
    void explainLoss(card.id).then((loss) => {
      if (this.state.lost?.post_id !== card.id) return;
      this.change({ lost: { post_id: card.id, loss } });
      this.tell({ kind: "lost", loss });
    });
  }

  private settle(fates: readonly DecisionFate[]): void {
    this.supply.settle(fates.map(({ decision }) => decision.post_id));
    for (const fate of fates) this.settleOne(fate);
    // An answer from before counted these as still in hand and had no room for new ones.
    const { cards, remaining, search_after } = this.state;
    if (search_after === null && cards.length <= REFILL_AT && (remaining ?? 0) > cards.length)
      this.supply.ask();
  }

  private settleOne(fate: DecisionFate): void {
    const { decision } = fate;
    const isUndo = decision.decision === "undo";
    const isOf = (entry: HistoryEntry) => (isUndo ? entry.undo_id : entry.id) === decision.id;
    let entry = this.state.history.find(isOf);
    if (!entry && !isApplied(fate) && !isUndo) {
      // Of another tab, perhaps closed by now: what it met must not go unseen.
      this.change({ history: withPending(this.state.history, decision) });
      entry = this.state.history.find(isOf);
    }
    this.change({ history: withFates(this.state.history, [fate]) });
    if (!entry) {
      if (isApplied(fate) && !isUndo) this.leaveToOtherTab(decision);
      return;
    }
    if (isApplied(fate)) {
      // Its card is not known here, but it is ours again: the deck brings it.
      if (isUndo && !entry.card) this.supply.ask();
    } else if (isUndo) {
      const loss = lossOf(fate);
      const isOnTop = this.state.cards[0]?.id === entry.post_id;
      if (isOnTop) this.change({ lost: { post_id: entry.post_id, loss } });
      else this.change({ cards: this.state.cards.filter((card) => card.id !== decision.post_id) });
      this.tell({ kind: "undo_refused", entry, loss });
    } else {
      this.tell({ kind: "met", entry: this.state.history.find(isOf) ?? entry });
    }
  }

  /** Another tab of the same person has decided: the card goes; on top it stays until a key, and says so. */
  private leaveToOtherTab({ post_id, decision }: Decision): void {
    const { cards } = this.state;
    const card = cards.find(({ id }) => id === post_id);
    if (!card) return;
    const isSkip = decision === "skip";
    if (card !== cards[0]) {
      this.supply.forget(post_id);
      this.change({ cards: cards.filter((each) => each !== card), remaining: this.less(isSkip ? 0 : 1) });
    } else if (!isSkip) this.lose(card);
    if (this.state.cards.length <= REFILL_AT) this.supply.ask();
  }

  private less(by: number): number | null {
    const { remaining } = this.state;
    return remaining === null ? null : Math.max(0, remaining - by);
  }

  private tell(news: DeskNews): void {
    for (const listener of this.newsListeners) listener(news);
  }

  private change(next: Partial<DeskState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }
}
