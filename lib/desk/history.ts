import type { Post } from "#lib/posts/schema.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { Conflict } from "./conflict.ts";
import type { DecisionOutcome } from "./outbox.ts";
import { plainText } from "#lib/client/plain-text.ts";

export type DecisionKind = RecentDecision["decision"];

/**
 * - `waiting`: kept here, not confirmed. `saved`: the server has it.
 * - `undoing`: taken back, not confirmed.
 * - `met`: somebody else had decided, or the post is gone or handed out; `loss` says which.
 */
export type EntryStatus = "waiting" | "saved" | "undoing" | "met";

/** A decision in the list at the side. */
export interface HistoryEntry {
  /** Id of the decision that stands; changing one's mind makes a new one. */
  id: string;
  post_id: number;
  decision: DecisionKind;
  reason: string | null;
  /** ISO. */
  at: string;
  author: string;
  snippet: string;
  emojis: RecentDecision["emojis"];
  status: EntryStatus;
  /** What stood in the way. */
  conflict?: Conflict;
  /** The decision stands and can no longer be changed: the post was handed out. */
  closed?: boolean;
  /** To put it back on top at once; not there after a reload. */
  card?: DeckCard;
  /** The id of the undo on its way. */
  undo_id?: string;
  /** The decisions on this post before this one: an undo goes back to the last of them. */
  earlier?: { id: string; decision: DecisionKind }[];
}

/** Decisions kept in the list; older ones are in the log. */
export const HISTORY_LENGTH = 50;

/** A post's text as one line, for the list. */
export function snippetOf(html: string): string {
  return plainText(html).replace(/\s+/g, " ").slice(0, 140);
}

/** Adds a decision in front. */
export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  return [entry, ...entries.filter((each) => each.post_id !== entry.post_id)].slice(0, HISTORY_LENGTH);
}

/** The newest decision that an undo can take back. */
export function lastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  return entries.find((entry) => isUndoable(entry));
}

export function isUndoable(entry: HistoryEntry): boolean {
  return (entry.status === "waiting" || entry.status === "saved") && entry.closed !== true;
}

/** The list after the server's answers. What an undo took back leaves it; what failed says why. */
export function withOutcomes(
  entries: readonly HistoryEntry[],
  fates: readonly DecisionOutcome[],
): HistoryEntry[] {
  const fateOf = new Map(fates.map((fate) => [fate.decision.id, fate]));
  return entries.flatMap((entry): HistoryEntry[] => {
    const undone = entry.undo_id === undefined ? undefined : fateOf.get(entry.undo_id);
    if (undone) {
      const { undo_id: _sent, ...rest } = entry;
      if (isApplied(undone)) return restored(rest, undone.post);
      return [{ ...rest, status: "saved", closed: true, conflict: conflictOf(undone) }];
    }
    const fate = fateOf.get(entry.id);
    if (!fate) return [entry];
    const told = entry.snippet === "" && fate.post ? describe(fate.post) : {};
    if (isApplied(fate)) {
      return [{ ...entry, ...told, status: entry.status === "undoing" ? "undoing" : "saved" }];
    }
    return [{ ...entry, ...told, status: "met", conflict: conflictOf(fate) }];
  });
}

/** After an undo: gone from the list, or back at the decision before. */
function restored(entry: HistoryEntry, post: DecisionOutcome["post"]): HistoryEntry[] {
  const before = entry.earlier?.at(-1);
  if (before === undefined && (post?.approved ?? null) === null) return [];
  const decision = before?.decision ?? (post?.approved === true ? "approve" : "reject");
  return [
    {
      ...entry,
      id: before?.id ?? entry.id,
      decision,
      reason: null,
      status: "saved",
      earlier: entry.earlier?.slice(0, -1),
    },
  ];
}

/** Why a decision did not come about. */
export function conflictOf(fate: DecisionOutcome): Conflict {
  return fate.result === "not_found" ? { kind: "deleted" } : { kind: "told", detail: fate.detail ?? "" };
}

export function isApplied(fate: DecisionOutcome): boolean {
  return fate.result === "applied" || fate.result === "repeated";
}

function describe(post: Pick<Post, "author_account" | "content" | "emojis">) {
  return { author: post.author_account, snippet: snippetOf(post.content), emojis: post.emojis };
}

/**
 * The list a page begins with: what the server knows, and over it what an earlier tab decided and could not send
 * any more.
 */
export function firstHistory(
  recent: readonly RecentDecision[],
  pending: readonly Decision[],
): HistoryEntry[] {
  let entries = recent.map(({ author_account, ...decision }): HistoryEntry => ({
    ...decision,
    id: `before-${decision.post_id}`,
    author: author_account,
    status: "saved",
  }));
  for (const decision of pending) entries = withPending(entries, decision);
  return entries;
}

/** A decision without its card: of another tab, or of before a reload. The server's answer brings the words. */
export function withPending(entries: readonly HistoryEntry[], decision: Decision): HistoryEntry[] {
  const known = entries.find((entry) => entry.post_id === decision.post_id);
  if (decision.decision === "undo") {
    return entries.map((entry) =>
      entry === known ? { ...entry, status: "undoing", undo_id: decision.id } : entry,
    );
  }
  return withEntry(entries, {
    id: decision.id,
    post_id: decision.post_id,
    decision: decision.decision,
    reason: decision.reason ?? null,
    at: decision.decided_at ?? new Date().toISOString(),
    author: known?.author ?? "",
    snippet: known?.snippet ?? "",
    emojis: known?.emojis ?? [],
    status: "waiting",
  });
}
