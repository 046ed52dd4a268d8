import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { HistoryEntry, DecisionKind } from "./history.ts";
import type { Conflict } from "./conflict.ts";

export interface DeskState {
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
  topConflict: null,
  lastDecided: null,
};

export type DeskEvent =
  | { kind: "decided"; entry: HistoryEntry }
  | { kind: "undone"; entry: HistoryEntry }
  | { kind: "revealed"; entry: HistoryEntry }
  | { kind: "undo_refused"; entry: HistoryEntry; conflict: Conflict }
  | { kind: "conflict"; entry: HistoryEntry }
  | { kind: "card_lost"; conflict: Conflict }
  | { kind: "card_edited" }
  | { kind: "nothing_to_undo" };

export interface DecisionDetails {
  /** Id of the reason, and its name for the history. */
  reject_reason?: number;
  reason?: string;
  note?: string | null;
  /** For an undo: the id of the decision. */
  undoes?: string;
  /** Of the post that was read. */
  version?: number | undefined;
}
