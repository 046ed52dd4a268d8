import type { ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { newId } from "#lib/client/new-id.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { PostDetail } from "#lib/review/post-schema.ts";
import { CardSupply, type SupplyResult } from "./card-supply.ts";
import type { Batch } from "./batches.ts";
import { REFILL_AT, withNext } from "./cards.ts";
import {
  afterBatch,
  afterBatchKept,
  afterBatchUndo,
  afterDecision,
  afterUndo,
  remainingLess,
  withOwnVerdict,
  withUnheard,
} from "./changes.ts";
import {
  changedEntry,
  entryOf,
  firstHistory,
  isApplied,
  isNamed,
  isUndoable,
  lastUndoable,
  conflictOf,
  withOutcomes,
  withPending,
  type HistoryEntry,
  type DecisionKind,
} from "./history.ts";
import { explainConflict } from "./conflict.ts";
import { ObservedState } from "./observed-state.ts";
import { newDecision, type DecisionDetails } from "./new-decision.ts";
import { emptyDesk } from "./state.ts";
import type { DecisionOutcome, Outbox } from "./outbox.ts";

/** Cards and decisions of the desk. */
export class DeskStore extends ObservedState {
  private readonly outbox: Outbox;
  private readonly supply: CardSupply;
  private readonly endOutcomes: () => void;
  /** Posts that were edited before the decision: they are shown again at once. */
  private readonly shownAgain = new Set<number>();

  constructor(outbox: Outbox, recent: readonly RecentDecision[]) {
    super({ ...emptyDesk, history: firstHistory(recent, outbox.pending()) });
    this.outbox = outbox;
    this.supply = new CardSupply({
      cards: () => this.state.cards,
      pending: () => this.unheard(),
      withUnheard: (card, isUnheard) => withUnheard(card, this.state.history, isUnheard),
      applyResult: (result) => this.applyResult(result),
      fail: (failure) => this.fail(failure),
    });
    this.endOutcomes = outbox.onOutcomes((outcomes) => this.settle(outcomes));
  }

  /** `query`: GET /review/deck without `count`. */
  open(query: string): void {
    const { history, batches, decided } = this.state;
    this.change({ ...emptyDesk, history, batches, decided });
    this.supply.open(query);
  }

  close(): void {
    this.supply.close();
    this.endOutcomes();
  }

  /** Returns with the next card on top, or with the new version of a card that was edited. */
  decide(decision: DecisionKind, details: DecisionDetails = {}): void {
    const [card, ...rest] = this.state.cards;
    if (!card) return;
    const { topConflict } = this.state;
    const hasConflict = topConflict?.post_id === card.id;
    if (hasConflict && topConflict.conflict?.kind === "edited" && topConflict.conflict.card) {
      this.change({ cards: [topConflict.conflict.card, ...rest], topConflict: null });
      return this.emit({ kind: "card_edited" });
    }
    // Only the history shows the conflict.
    const id = hasConflict ? newId() : this.send(card.id, decision, { ...details, version: card.version });
    const entry: HistoryEntry = {
      ...entryOf(card, id, decision, details.reason ?? null),
      ...(hasConflict ? { status: "conflict" } : {}),
      ...(hasConflict && topConflict.conflict !== null ? { conflict: topConflict.conflict } : {}),
    };
    this.supply.forget(card.id);
    this.change(afterDecision(this.state, card, entry));
    this.emit({ kind: hasConflict ? "conflict" : "decided", entry });
    if (rest.length <= REFILL_AT && !this.state.incomplete_results) this.supply.request();
  }

  /** By default the last one. A known card returns at once. */
  undo(which?: HistoryEntry): void {
    const entry = which ?? lastUndoable(this.state.history);
    if (!entry || !isUndoable(entry)) return this.emit({ kind: "nothing_to_undo" });
    const undo_id = this.send(entry.post_id, "undo", isNamed(entry) ? { undoes: entry.id } : {});
    this.change(afterUndo(this.state, entry, undo_id));
    this.emit({ kind: "undone", entry });
  }

  /** Without showing the card again, unless its pictures were covered or, after a reload, may have been. */
  changeDecision(entry: HistoryEntry, decision: "approve" | "reject"): void {
    if (!isUndoable(entry) || entry.decision === decision) return;
    if (decision === "approve" && entry.card?.media_covered !== false) return this.undo(entry);
    const { version } = entry;
    const changed = changedEntry(entry, this.send(entry.post_id, decision, { version }), decision);
    this.change({ history: this.state.history.map((each) => (each.id === entry.id ? changed : each)) });
    this.change(withOwnVerdict(this.state, changed));
    this.emit({ kind: "decided", entry: changed });
  }

  dismiss(entry: HistoryEntry): void {
    this.change({ history: this.state.history.filter((each) => each.id !== entry.id) });
  }

  /** After the server's answer. */
  batchDone(batch: Omit<Batch, "cards" | "status">): void {
    const ids = batch.posts.map(({ id }) => id);
    this.supply.settle(ids);
    for (const id of ids) this.supply.forget(id);
    this.change(afterBatch(this.state, { ...batch, cards: [], status: "saved" }));
    this.supply.request();
  }

  /** Its cards return at once, on top. */
  beginBatchUndo(id: string): void {
    const batch = this.state.batches.find((each) => each.id === id && each.status === "saved");
    if (!batch) return;
    for (const card of batch.cards) this.supply.keep(card);
    this.change(afterBatchUndo(this.state, batch));
  }

  /** @param isUndone false: nothing could be restored */
  endBatchUndo(id: string, isUndone: boolean): void {
    const batch = this.state.batches.find((each) => each.id === id);
    if (batch?.status !== "undoing") return;
    const ids = batch.posts.map((post) => post.id);
    this.supply.settle(ids);
    if (isUndone) this.change({ batches: this.state.batches.filter((each) => each !== batch) });
    else this.change(afterBatchKept(this.state, batch));
    this.supply.requestAgain();
  }

  /** On all leased cards. */
  patchCards(change: (card: DeckCard) => DeckCard): void {
    this.change({ cards: this.state.cards.map(change) });
  }

  /** After its checks ran again. */
  async refreshCard(postId: number): Promise<void> {
    const post = await apiFetch<PostDetail>(`/posts/${postId}`).catch(() => null);
    if (post === null) return;
    const { ai_would_reject, ai_score, ai_reasons, vision_category, pictures_waiting, media_covered } = post;
    const advice = {
      ai_would_reject,
      ai_score,
      ai_reasons,
      vision_category,
      pictures_waiting,
      media_covered,
    };
    this.patchCards((card) => (card.id === postId ? { ...card, ...advice } : card));
  }

  /** On activity only, so idle leases end. */
  renewLeases(): void {
    this.supply.renew();
  }

  retry(): void {
    if (this.state.phase === "failed") this.change({ phase: "loading", failure: null });
    this.supply.request();
  }

  /** Posts whose decision, or its undo, the server may not know. */
  private unheard(): number[] {
    const undoing = this.state.batches.filter(({ status }) => status === "undoing");
    return [
      ...this.outbox.pending().map((decision) => decision.post_id),
      ...undoing.flatMap(({ cards }) => cards.map(({ id }) => id)),
    ];
  }

  private send(postId: number, decision: DecisionKind | "undo", details: DecisionDetails = {}): string {
    const sent = newDecision(postId, decision, details);
    this.outbox.add(sent);
    return sent.id;
  }

  private applyResult({ lost, edited, ...result }: SupplyResult): void {
    const cards = withNext(result.cards, this.shownAgain);
    for (const { id } of cards) this.shownAgain.delete(id);
    this.change({ ...result, cards, phase: "ready", failure: null });
    const top = cards[0];
    if (top && lost.includes(top)) this.markTopConflict(top);
    else if (edited) {
      const conflict = { kind: "edited", card: edited } as const;
      const isKnown = this.state.topConflict?.post_id === edited.id;
      this.change({ topConflict: { post_id: edited.id, conflict } });
      if (!isKnown) this.emit({ kind: "card_lost", conflict });
    }
  }

  private fail(failure: ApiFailure): void {
    this.change({ failure, ...(this.state.cards.length === 0 ? { phase: "failed" as const } : {}) });
  }

  /** Finds out why the card cannot be decided. */
  private markTopConflict(card: DeckCard): void {
    this.change({ topConflict: { post_id: card.id, conflict: null } });
    void explainConflict(card.id).then((conflict) => {
      if (this.state.topConflict?.post_id !== card.id) return;
      this.change({ topConflict: { post_id: card.id, conflict } });
      this.emit({ kind: "card_lost", conflict });
    });
  }

  private settle(outcomes: readonly DecisionOutcome[]): void {
    this.supply.settle(outcomes.map(({ decision }) => decision.post_id));
    for (const outcome of outcomes) this.settleOne(outcome);
    // The earlier answer counted these posts as leased.
    const { cards, remaining, incomplete_results } = this.state;
    if (!incomplete_results && cards.length <= REFILL_AT && (remaining ?? 0) > cards.length)
      this.supply.request();
  }

  private settleOne(outcome: DecisionOutcome): void {
    const { decision } = outcome;
    const isUndo = decision.decision === "undo";
    const isOf = (entry: HistoryEntry) => (isUndo ? entry.undo_id : entry.id) === decision.id;
    let entry = this.state.history.find(isOf);
    if (!entry && !isApplied(outcome) && !isUndo) {
      // Decided in another tab. The conflict must still be shown.
      this.change({ history: withPending(this.state.history, decision) });
      entry = this.state.history.find(isOf);
    }
    this.change({ history: withOutcomes(this.state.history, [outcome]) });
    if (!entry) {
      if (isApplied(outcome) && !isUndo) this.removeDecidedElsewhere(decision);
      return;
    }
    if (outcome.code === "edited" && !outcome.post?.reviewed) {
      this.shownAgain.add(entry.post_id);
      this.supply.requestAgain();
    }
    if (isApplied(outcome)) {
      // The lease is ours again, so the next answer contains the card.
      if (isUndo && !entry.card) {
        this.shownAgain.add(entry.post_id);
        this.supply.requestAgain();
      }
    } else if (isUndo) {
      const conflict = conflictOf(outcome);
      this.change(withOwnVerdict(this.state, { ...entry, status: "saved" }));
      const isOnTop = this.state.cards[0]?.id === entry.post_id;
      if (isOnTop) this.change({ topConflict: { post_id: entry.post_id, conflict } });
      else this.change({ cards: this.state.cards.filter((card) => card.id !== decision.post_id) });
      this.emit({ kind: "undo_refused", entry, conflict });
    } else {
      this.change(withOwnVerdict(this.state, { ...entry, status: "conflict" }));
      this.emit({ kind: "conflict", entry: this.state.history.find(isOf) ?? entry });
    }
  }

  /** The card on top stays until a key is pressed and shows the conflict. */
  private removeDecidedElsewhere({ post_id, decision }: Decision): void {
    const { cards } = this.state;
    const card = cards.find(({ id }) => id === post_id);
    if (!card) return;
    const isSkip = decision === "skip";
    if (card !== cards[0]) {
      this.supply.forget(post_id);
      this.change({
        cards: cards.filter((each) => each !== card),
        remaining: remainingLess(this.state, isSkip ? 0 : 1),
      });
    } else if (!isSkip) this.markTopConflict(card);
    if (this.state.cards.length <= REFILL_AT) this.supply.request();
  }
}
