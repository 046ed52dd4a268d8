import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { HistoryEntry, DecisionKind } from "./history.ts";
import type { Batch } from "./batches.ts";
import type { Conflict } from "./conflict.ts";

export interface DeskState {
  /** Own decisions since the desk was loaded, less undone ones. */
  decided: number;
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
  /** Newest first. */
  history: readonly HistoryEntry[];
  /** Newest first. */
  batches: readonly Batch[];
  /** `conflict` is null until the reason is known. */
  topConflict: { post_id: number; conflict: Conflict | null } | null;
  lastDecided: { card: DeckCard; decision: DecisionKind } | null;
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
  batches: [],
  decided: 0,
  topConflict: null,
  lastDecided: null,
};

export type DeskEvent =
  | { kind: "decided"; entry: HistoryEntry }
  | { kind: "undone"; entry: HistoryEntry }
  | { kind: "undo_refused"; entry: HistoryEntry; conflict: Conflict }
  | { kind: "conflict"; entry: HistoryEntry }
  | { kind: "card_lost"; conflict: Conflict }
  | { kind: "card_edited" }
  | { kind: "nothing_to_undo" };
