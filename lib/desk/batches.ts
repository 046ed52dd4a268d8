import type { Action } from "#lib/actions/schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { HistoryEntry } from "./history.ts";

/** Several posts decided together: those of an author, or by a block. */
export interface Batch {
  /** Of the action, for its undo. */
  id: string;
  decision: "approve" | "reject";
  /** ISO. */
  at: string;
  /** The author or hashtag; "" after a reload, when only the count is known. */
  name: string;
  count: number;
  /** Those that the desk knew. */
  posts: readonly DeckCard[];
  /** Those that were on the desk. An undo returns them. */
  cards: readonly DeckCard[];
  /** `closed`: cannot be undone. */
  status: "saved" | "undoing" | "closed";
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

/** A batch made before the page was loaded, without its posts; null for other actions. */
export function batchOfAction({ id, kind, at, changed, details }: BatchAction): Batch | null {
  if ((kind !== "batch" && kind !== "block") || changed === 0) return null;
  const { name, decision } = details;
  return {
    id,
    decision: decision === "approve" ? "approve" : "reject",
    at,
    name: typeof name === "string" ? name : "",
    count: changed,
    posts: [],
    cards: [],
    status: "saved",
  };
}

type BatchAction = Pick<Action, "id" | "kind" | "at" | "changed" | "details">;
