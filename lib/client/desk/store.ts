import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { newId } from "#lib/client/new-id.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { Deck, DeckCard } from "#lib/review/deck-schema.ts";
import { conflictOf, explainConflict } from "./conflicts.ts";
import { emptyDesk, MAX_CARDS, mergeCards, reduce, type Action, type DeskState } from "./desk.ts";
import {
  entryOf,
  firstHistory,
  isSettled,
  isUndoable,
  withPending,
  type DecisionKind,
  type Entry,
} from "./history.ts";
import type { DecisionOutcome, Outbox } from "./outbox.ts";

/** Request more cards at this number or below: enough for an outage of 10 seconds at one decision a second. */
const REFILL_AT = 15;
/** The API's maximum of `unsent`. */
const MAX_UNSENT = 80;
/** Activity renews leases that are older, by the browser's own clock. */
const RENEW_AFTER_MS = 5 * 60_000;
/** A request on a dead connection would last for minutes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Pauses after an answer without new cards, and after a failure. */
const QUIET_PAUSE_MS = 2_000;
const FAILED_PAUSE_MS = 3_000;

export interface DecisionDetails {
  /** Id of the reason, and its name for the history. */
  reject_reason?: number;
  reason?: string;
  note?: string;
}

/** `failed`: the server could not answer. */
export type UndoResult = "restored" | "late" | "failed";

/** State of the desk, kept outside React. A key press shows the next card without waiting for the network. */
export class DeskStore {
  private state: DeskState;
  private readonly outbox: Outbox;
  private readonly listeners = new Set<() => void>();
  private readonly endOutcomes: () => void;
  private query = "";
  private running: AbortController | null = null;
  /** Request again after the running request, which began before the change. */
  private reloadQueued = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last answer. */
  private loadedAt = 0;
  /** Posts whose decision or undo was answered since the running request began. */
  private readonly answered = new Set<number>();
  /** Posts to show next: edited before the decision arrived, undone after a reload, or returned by the undo of a block. */
  private readonly showNext = new Set<number>();
  private undoBlock: (() => void) | null = null;
  private isClosed = false;

  constructor(outbox: Outbox, recent: readonly RecentDecision[]) {
    this.state = { ...emptyDesk, history: firstHistory(recent, outbox.pending()) };
    this.outbox = outbox;
    this.endOutcomes = outbox.onOutcomes((outcomes) => this.settle(outcomes));
  }

  getState = (): DeskState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** @param query parameters of GET /review/deck, without `count` and `unsent` */
  open(query: string): void {
    this.query = query;
    this.stop();
    this.dispatch({ type: "open" });
    void this.load();
  }

  /** It asks for no more cards: nobody would see them, nor give them back. */
  close(): void {
    this.isClosed = true;
    this.stop();
    this.endOutcomes();
  }

  /** Decides the card on top and shows the next one. After an edit it only shows the new version. */
  decide(decision: DecisionKind, { reason = "", reject_reason, note }: DecisionDetails = {}): void {
    const { cards, conflict } = this.state;
    const [card] = cards;
    if (!card) return;
    this.undoBlock = null;
    if (conflict?.kind === "edited" && conflict.card)
      return this.dispatch({ type: "showEdited", card: conflict.card });
    const sent = { ...(note ? { note } : {}), ...(reject_reason ? { reject_reason } : {}) };
    // Only the history shows the conflict.
    const id = conflict ? newId() : this.send(card.id, decision, { ...sent, version: card.version });
    const entry = entryOf(card, id, decision, reason || null);
    this.dispatch({ type: "decide", entry: conflict ? { ...entry, status: "conflict", conflict } : entry });
    // Otherwise the server's answer triggers the reload. It never comes while all cards wait in the outbox.
    if (conflict || cards.length <= this.outbox.getState().waiting) this.reload();
  }

  /**
   * Reloads the desk after a block has rejected posts.
   *
   * @param undo removes the block
   * @returns the undo, which runs once, and again after a failure. Until the next decision the undo key calls it, too.
   */
  blocked(undo: () => Promise<UndoResult>): () => void {
    const before = this.state.cards;
    this.open(this.query);
    let isRun = false;
    const once = async () => {
      if (isRun) return;
      isRun = true;
      const result = await undo();
      isRun = result !== "failed";
      if (!isRun) return;
      if (this.undoBlock === run) this.undoBlock = null;
      if (result === "late") return;
      const left = new Set(this.state.cards.map(({ id }) => id));
      for (const { id } of before) if (!left.has(id)) this.showNext.add(id);
      this.open(this.query);
    };
    const run = () => void once();
    this.undoBlock = run;
    return run;
  }

  /** Undoes a decision, by default the last one. Its card returns at once if it is still in memory. */
  undo(which?: Entry): void {
    if (!which && this.undoBlock) return this.undoBlock();
    const entry = which ?? this.state.history.find(isUndoable);
    if (!entry || !isUndoable(entry)) return this.dispatch({ type: "nothingToUndo" });
    // Decisions made before the page was loaded have a local id that the server does not know.
    const undoes = entry.id === `before-${entry.post_id}` ? {} : { undoes: entry.id };
    const undo_id = this.send(entry.post_id, "undo", undoes);
    this.dispatch({ type: "undo", entry, undo_id });
  }

  dismiss({ id }: Entry): void {
    this.dispatch({ type: "dismiss", id });
  }

  /** Called on activity only, so that the leases of an idle desk expire. */
  renewLeases(): void {
    if (this.state.cards.length > 0 && Date.now() - this.loadedAt > RENEW_AFTER_MS) this.request();
  }

  retry(): void {
    const { cards, failure } = this.state;
    if (failure && cards.length === 0) this.dispatch({ type: "open" });
    this.request();
  }

  /** Requests cards because something changed on the server; after the running request, if there is one. */
  reload(): void {
    if (this.running) this.reloadQueued = true;
    else this.request();
  }

  private dispatch(action: Action): void {
    this.state = reduce(this.state, action);
    for (const listener of this.listeners) listener();
  }

  private send(post_id: number, decision: Decision["decision"], details: Partial<Decision>): string {
    const id = newId();
    this.outbox.add({ id, post_id, decision, ...details, decided_at: new Date().toISOString() });
    return id;
  }

  private stop(): void {
    this.running?.abort();
    this.running = null;
    clearTimeout(this.timer);
  }

  /** Starts a request, unless one is running. */
  private request(wait = 0): void {
    if (this.running) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), wait);
  }

  private async load(): Promise<void> {
    if (this.running || this.isClosed) return;
    const running = new AbortController();
    this.running = running;
    this.reloadQueued = false;
    this.answered.clear();
    let pause: number | null;
    const timer = setTimeout(() => running.abort(new DOMException("", "TimeoutError")), REQUEST_TIMEOUT_MS);
    try {
      await releasing;
      const filters = this.query === "" ? "" : `&${this.query}`;
      // The server still counts posts with unsent decisions as cards of this desk.
      const unsent = Math.min(MAX_UNSENT, this.outbox.getState().waiting);
      const path = `/review/deck?count=${MAX_CARDS}&unsent=${unsent}${filters}`;
      const deck = await apiFetch<Deck>(path, { signal: running.signal });
      if (this.running !== running) return;
      this.loadedAt = Date.now();
      pause = this.take(deck);
    } catch (thrown) {
      if (this.running !== running) return;
      const failure = asFailure(thrown);
      this.dispatch({ type: "fail", failure });
      // The same filters would be refused again, and so would the member; who looks at an empty desk still polls.
      pause = [401, 403, 422].includes(failure.status)
        ? null
        : (failure.retryAfter ?? 0) * 1000 + FAILED_PAUSE_MS;
    } finally {
      clearTimeout(timer);
    }
    this.running = null;
    if (this.reloadQueued) this.request();
    else if (pause !== null) this.request(pause);
  }

  /** @returns milliseconds until the next request, or null for none */
  private take(deck: Deck): number | null {
    const { cards: before } = this.state;
    const unconfirmed = new Set(this.answered);
    for (const { post_id } of this.outbox.pending()) unconfirmed.add(post_id);
    const merged = mergeCards(before, deck.items, unconfirmed, this.showNext);
    const alreadyDecided = deck.items.filter(({ id }) => unconfirmed.has(id)).length;
    this.dispatch({ type: "load", deck, merged, alreadyDecided });
    if (merged.lost && !this.state.conflict) this.explain(merged.lost);
    const { cards, remaining, incomplete_results } = this.state;
    for (const { id } of cards) this.showNext.delete(id);
    // A second request would search the same posts.
    if (incomplete_results) return null;
    if (cards.length > REFILL_AT || (remaining ?? 0) <= cards.length) return null;
    return cards.length > before.length ? 0 : QUIET_PAUSE_MS;
  }

  private settle(outcomes: readonly DecisionOutcome[]): void {
    for (const outcome of outcomes) {
      this.answered.add(outcome.decision.post_id);
      this.settleOne(outcome);
    }
    // Only now: an earlier answer would lack these decisions and their authors' figures.
    const { cards, incomplete_results } = this.state;
    if (!incomplete_results && cards.length <= REFILL_AT) this.reload();
  }

  private settleOne({ decision, result, code, detail, post }: DecisionOutcome): void {
    const { id, post_id } = decision;
    const isUndo = decision.decision === "undo";
    const isApplied = result === "applied" || result === "repeated";
    const entry = this.state.history.find((each) => (isUndo ? each.undo_id : each.id) === id);
    if (isApplied) {
      this.dispatch({ type: "sent", id, post });
    } else {
      // Decided in another tab, which may be closed. The conflict must still be shown, unless it was decided again here.
      const isReplaced = this.state.history.some((each) => each.post_id === post_id && !isSettled(each));
      const [known] = entry || isUndo || isReplaced ? [] : withPending([], decision);
      if (known) this.dispatch({ type: "know", entry: known });
      this.dispatch({ type: "refused", id, conflict: conflictOf({ result, code, detail }), post });
    }
    const needsCard = isApplied && isUndo && entry?.card === null;
    if (code === "edited" ? !post?.reviewed : needsCard) {
      this.showNext.add(post_id);
      this.reload();
    }
  }

  /** Finds out why the card on top cannot be decided. */
  private explain(card: DeckCard): void {
    void explainConflict(card).then((conflict) => {
      if (conflict) this.dispatch({ type: "lost", post_id: card.id, conflict });
    });
  }
}

/** The running release. A desk waits for it before it requests cards, which the release would otherwise give back. */
let releasing: Promise<unknown> = Promise.resolve();

/** Gives the cards back when the desk is left or its filters change, so that other reviewers get them early. */
export function releaseCards(outbox: Outbox): void {
  // Unsent decisions still need their leases.
  if (outbox.getState().waiting > 0) return;
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  releasing = apiFetch("/review/deck", { method: "DELETE", signal }).catch(() => undefined);
}
