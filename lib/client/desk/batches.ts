import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { HistoryEntry } from "./history.ts";

/** Result of an undo. */
export interface Undone {
  restored: number;
  /** Why something stayed as it is. */
  detail: string | undefined;
}

/** Several posts decided together: those of an author, or by a block. */
export interface Batch {
  id: string;
  decision: "approve" | "reject";
  /** ISO. */
  at: string;
  /** The author or hashtag. */
  name: string;
  count: number;
  /** Those that the desk knew. */
  posts: readonly DeckCard[];
  /** Those that were on the desk. An undo returns them. */
  cards: readonly DeckCard[];
  /** `closed`: cannot be undone. */
  status: "saved" | "undoing" | "closed";
  undo: () => Promise<Undone>;
}

/** Newest first. */
export function withBatches(
  entries: readonly HistoryEntry[],
  batches: readonly Batch[],
): (HistoryEntry | Batch)[] {
  if (batches.length === 0) return [...entries];
  return [...entries, ...batches].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

export function isBatch(line: HistoryEntry | Batch): line is Batch {
  return "posts" in line;
}
