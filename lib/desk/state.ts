import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { HistoryEntry, DecisionKind } from "./history.ts";
import type { Conflict } from "./conflict.ts";

export interface DeskState {
  /** In hand, the one to decide first. */
  cards: readonly DeckCard[];
  /** Unreviewed posts for this reviewer, those in hand included; null while being counted. */
  remaining: number | null;
  /** There are more than `remaining` says. */
  remaining_is_more: boolean;
  /** Where the search for cards stopped before it had enough; null when it knows of all there are. */
  search_after: string | null;
  phase: "loading" | "ready" | "failed";
  failure: ApiFailure | null;
  /** Newest first. */
  history: readonly HistoryEntry[];
  /** The card on top cannot be decided any more; why, once it is known. */
  topConflict: { post_id: number; loss: Conflict | null } | null;
  /** Where the last card went, for its way out. */
  lastDecided: { card: DeckCard; decision: DecisionKind } | null;
}

export const emptyDesk: DeskState = {
  cards: [],
  remaining: null,
  remaining_is_more: false,
  search_after: null,
  phase: "loading",
  failure: null,
  history: [],
  topConflict: null,
  lastDecided: null,
};

/** Something a reviewer has to be told; the screen puts it into words. */
export type DeskEvent =
  | { kind: "decided"; entry: HistoryEntry }
  | { kind: "undone"; entry: HistoryEntry }
  | { kind: "undo_refused"; entry: HistoryEntry; loss: Conflict }
  | { kind: "met"; entry: HistoryEntry }
  | { kind: "lost"; loss: Conflict }
  | { kind: "nothing_to_undo" };

/** What a reviewer says with a decision. */
export interface DecisionDetails {
  reason?: string | null;
  note?: string | null;
}
