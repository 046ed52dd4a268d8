import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { HistoryEntry, DecisionKind } from "./history.ts";
import type { Conflict } from "./conflict.ts";

export interface DeskState {
  /** The first one is shown. */
  cards: readonly DeckCard[];
  /** Unreviewed posts for this reviewer, leased ones included. Null until counted. */
  remaining: number | null;
  /** `remaining` is a lower bound. */
  remaining_is_more: boolean;
  /** Only the first posts were searched, and they have fewer cards than wanted. */
  incomplete_results: boolean;
  phase: "loading" | "ready" | "failed";
  failure: ApiFailure | null;
  /** Newest first. */
  history: readonly HistoryEntry[];
  /** The card on top cannot be decided any more. `conflict` is null until the reason is known. */
  topConflict: { post_id: number; conflict: Conflict | null } | null;
  /** Kept for its leave animation. */
  lastDecided: { card: DeckCard; decision: DecisionKind } | null;
}

export const emptyDesk: DeskState = {
  cards: [],
  remaining: null,
  remaining_is_more: false,
  incomplete_results: false,
  phase: "loading",
  failure: null,
  history: [],
  topConflict: null,
  lastDecided: null,
};

export type DeskEvent =
  | { kind: "decided"; entry: HistoryEntry }
  | { kind: "undone"; entry: HistoryEntry }
  | { kind: "undo_refused"; entry: HistoryEntry; conflict: Conflict }
  | { kind: "conflict"; entry: HistoryEntry }
  | { kind: "card_lost"; conflict: Conflict }
  | { kind: "nothing_to_undo" };

export interface DecisionDetails {
  reason?: string | null;
  note?: string | null;
}
