import type { DeckCard } from "#lib/review/deck-schema.ts";
import { withVerdicts, type Verdict } from "./author-record.ts";
import type { Batch } from "./batches.ts";
import { withWaiting } from "./cards.ts";
import { snippetOf, withEntry, type DecisionKind, type HistoryEntry } from "./history.ts";
import type { DeskState } from "./state.ts";

/* State of the desk after each action, without effects. The store sends decisions and requests cards. */

type Change = Partial<DeskState>;

export function afterDecision(state: DeskState, card: DeckCard, entry: HistoryEntry): Change {
  const rest = state.cards.slice(1);
  const isSkip = entry.decision === "skip";
  const isCounted = !isSkip && entry.status !== "conflict";
  const next: DeskState = {
    ...state,
    cards: isSkip ? rest : withWaiting(rest, card.author_account, -1),
    lastDecided: { card, decision: entry.decision },
    topConflict: null,
    remaining: remainingLess(state, isSkip ? 0 : 1),
    history: withEntry(state.history, entry),
  };
  return isCounted
    ? { ...next, ...withRecord(next, [verdictOf(card, entry)]), decided: state.decided + 1 }
    : next;
}

/** A known card returns at once, unless an earlier decision stands again. */
export function afterUndo(state: DeskState, entry: HistoryEntry, undo_id: string): Change {
  const { card, decision } = entry;
  const returns = card !== undefined && !entry.earlier?.length;
  const others = state.cards.filter(({ id }) => id !== card?.id);
  const isSkip = decision === "skip";
  const next: DeskState = {
    ...state,
    history: withChanged(state.history, entry.id, { status: "undoing", undo_id }),
    ...(returns
      ? {
          cards: [card, ...(isSkip ? others : withWaiting(others, card.author_account, 1))],
          lastDecided: null,
          topConflict: null,
        }
      : {}),
    remaining: remainingLess(state, returns && !isSkip ? -1 : 0),
  };
  if (!card) return next;
  const before = entry.earlier?.at(-1)?.decision ?? null;
  return {
    ...next,
    ...withRecord(next, [verdictOf(card, { ...entry, decision: before ?? "skip" })]),
    ...(returns && !isSkip ? { decided: state.decided - 1 } : {}),
  };
}

/** The decision stands, was replaced, or was never counted. */
export function withOwnVerdict(state: DeskState, entry: HistoryEntry): Change {
  return entry.card === undefined ? {} : withRecord(state, [verdictOf(entry.card, entry)]);
}

export function afterBatch(state: DeskState, batch: Batch): Change {
  const ids = new Set(batch.posts.map(({ id }) => id));
  const onDesk = state.cards.filter(({ id }) => ids.has(id));
  let cards = state.cards.filter(({ id }) => !ids.has(id));
  for (const { author_account } of batch.posts) cards = withWaiting(cards, author_account, -1);
  const next: DeskState = {
    ...state,
    cards,
    remaining: remainingLess(state, onDesk.length),
    lastDecided: null,
    topConflict: null,
    batches: [{ ...batch, cards: onDesk }, ...state.batches],
  };
  return { ...next, ...withRecord(next, verdictsOf(batch)), decided: state.decided + batch.count };
}

/** The cards return before the server has answered. */
export function afterBatchUndo(state: DeskState, batch: Batch): Change {
  const ids = new Set(batch.cards.map(({ id }) => id));
  let others = state.cards.filter(({ id }) => !ids.has(id));
  for (const { author_account } of batch.posts) others = withWaiting(others, author_account, 1);
  const next: DeskState = {
    ...state,
    cards: [...batch.cards, ...others],
    remaining: remainingLess(state, -batch.cards.length),
    lastDecided: null,
    topConflict: null,
    batches: state.batches.map((each) => (each.id === batch.id ? { ...each, status: "undoing" } : each)),
  };
  return {
    ...next,
    ...withRecord(next, verdictsOf(batch, null)),
    decided: state.decided - batch.count,
  };
}

/** Nothing was restored: the batch stands and its cards leave again. */
export function afterBatchKept(state: DeskState, batch: Batch): Change {
  const others = { ...state, batches: state.batches.filter(({ id }) => id !== batch.id) };
  const again = afterBatch(others, { ...batch, status: "closed" });
  const open = again.batches?.[0];
  return { ...again, batches: [...(open ? [{ ...open, cards: [] }] : []), ...others.batches] };
}

/** Cards of a new answer, which the server made before it knew of these decisions. */
export function withUnheard(
  card: DeckCard,
  history: readonly HistoryEntry[],
  isUnheard: (postId: number) => boolean,
): DeckCard {
  const verdicts = history.flatMap((entry) =>
    entry.card && isUnheard(entry.post_id) ? [verdictOf(entry.card, entry)] : [],
  );
  return withVerdicts(card, verdicts);
}

export function remainingLess({ remaining }: Pick<DeskState, "remaining">, by: number): number | null {
  return remaining === null ? null : Math.max(0, remaining - by);
}

function withRecord(state: DeskState, verdicts: readonly Verdict[]) {
  const known = <E extends { card?: DeckCard }>(entry: E): E =>
    entry.card ? { ...entry, card: withVerdicts(entry.card, verdicts) } : entry;
  return {
    cards: state.cards.map((card) => withVerdicts(card, verdicts)),
    history: state.history.map((entry) => (concerns(entry, verdicts) ? known(entry) : entry)),
    batches: state.batches.map((batch) => ({
      ...batch,
      cards: batch.cards.map((card) => withVerdicts(card, verdicts)),
    })),
  };
}

/** Other entries keep their object, so that their lines are not drawn again. */
function concerns(entry: HistoryEntry, verdicts: readonly Verdict[]): boolean {
  return verdicts.some(({ post }) => post.author_account === entry.author && post.id !== entry.post_id);
}

function withChanged(
  history: readonly HistoryEntry[],
  id: string,
  change: Partial<HistoryEntry>,
): HistoryEntry[] {
  return history.map((each) => (each.id === id ? { ...each, ...change } : each));
}

function verdictOf(card: DeckCard, entry: Pick<HistoryEntry, "decision" | "at" | "status">): Verdict {
  const isOpen = entry.decision === "skip" || entry.status === "conflict" || entry.status === "undoing";
  return { post: withSnippet(card), approved: isOpen ? null : isApproval(entry.decision), at: entry.at };
}

function verdictsOf({ posts, decision, at }: Batch, approved: boolean | null = isApproval(decision)) {
  return posts.map((card): Verdict => ({ post: withSnippet(card), approved, at }));
}

const isApproval = (decision: DecisionKind) => decision === "approve";
const withSnippet = (card: DeckCard) => ({ ...card, snippet: snippetOf(card.content) });
