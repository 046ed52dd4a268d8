import { plainText } from "#lib/client/plain-text.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { Post } from "#lib/review/post-schema.ts";
import type { Conflict } from "./conflict.ts";
import type { DecisionOutcome } from "./outbox.ts";

export type DecisionKind = RecentDecision["decision"];

/** `waiting` and `undoing` are not confirmed yet. */
export type EntryStatus = "waiting" | "saved" | "undoing" | "conflict";

export interface HistoryEntry {
  /** A changed decision gets a new id. */
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
  conflict?: Conflict;
  /** Handed out, so the decision cannot be changed. */
  closed?: boolean;
  /** Version of the post that was read. */
  version?: number;
  /** Missing after a reload. */
  card?: DeckCard;
  /** Id of the unconfirmed undo. */
  undo_id?: string;
  /** An undo returns to the last of these. */
  earlier?: { id: string; decision: DecisionKind }[];
}

export const HISTORY_LENGTH = 50;

/** One line of at most `length` characters. */
export function snippetOf(html: string, length = 140): string {
  return plainText(html).replace(/\s+/g, " ").slice(0, length);
}

/** A decision about a card that the server has not confirmed yet. */
export function entryOf(
  card: DeckCard,
  id: string,
  decision: DecisionKind,
  reason: string | null,
): HistoryEntry {
  return {
    id,
    post_id: card.id,
    decision,
    reason,
    at: new Date().toISOString(),
    author: card.author_account,
    snippet: snippetOf(card.content) || card.spoiler_text || "",
    emojis: card.emojis,
    status: "waiting",
    version: card.version,
    card,
  };
}

/** The entry after another decision, which the server has not confirmed yet. */
export function changedEntry(entry: HistoryEntry, id: string, decision: DecisionKind): HistoryEntry {
  return {
    ...entry,
    id,
    decision,
    reason: null,
    status: "waiting",
    at: new Date().toISOString(),
    earlier: [...(entry.earlier ?? []), { id: entry.id, decision: entry.decision }],
  };
}

/** Stands for the id of a decision that was made before this page was loaded. */
function unnamed(postId: number): string {
  return `before-${postId}`;
}

/** Whether the server knows the decision by the entry's id. */
export function isNamed({ id, post_id }: HistoryEntry): boolean {
  return id !== unnamed(post_id);
}

export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): HistoryEntry[] {
  return [entry, ...entries.filter((each) => each.post_id !== entry.post_id)].slice(0, HISTORY_LENGTH);
}

export function lastUndoable(entries: readonly HistoryEntry[]): HistoryEntry | undefined {
  return entries.find((entry) => isUndoable(entry));
}

export function isUndoable(entry: HistoryEntry): boolean {
  return (entry.status === "waiting" || entry.status === "saved") && entry.closed !== true;
}

/** Applies the answers of the server to the entries, by id. A successful undo restores the earlier decision or removes the entry. */
export function withOutcomes(
  entries: readonly HistoryEntry[],
  outcomes: readonly DecisionOutcome[],
): HistoryEntry[] {
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.decision.id, outcome]));
  return entries.flatMap((entry): HistoryEntry[] => {
    const undone = entry.undo_id === undefined ? undefined : outcomeOf.get(entry.undo_id);
    if (undone) {
      const { undo_id: _sent, ...rest } = entry;
      if (isApplied(undone)) return undone.code === "edited" ? [] : restored(rest, undone.post);
      return [{ ...rest, status: "saved", closed: true, conflict: conflictOf(undone) }];
    }
    const outcome = outcomeOf.get(entry.id);
    if (!outcome) return [entry];
    const text = entry.snippet === "" && outcome.post ? describe(outcome.post) : {};
    if (isApplied(outcome)) {
      const reason = entry.reason ?? outcome.post?.reject_reason_label ?? null;
      return [{ ...entry, ...text, reason, status: entry.status === "undoing" ? "undoing" : "saved" }];
    }
    return [{ ...entry, ...text, status: "conflict", conflict: conflictOf(outcome) }];
  });
}

/** Returns to the earlier decision, if any. */
function restored(entry: HistoryEntry, post: DecisionOutcome["post"]): HistoryEntry[] {
  const before = entry.earlier?.at(-1);
  if (before === undefined && (post?.approved ?? null) === null) return [];
  const decision = before?.decision ?? (post?.approved === true ? "approve" : "reject");
  return [
    {
      ...entry,
      id: before?.id ?? unnamed(entry.post_id),
      decision,
      reason: post?.reject_reason_label ?? null,
      status: "saved",
      earlier: entry.earlier?.slice(0, -1),
    },
  ];
}

export function conflictOf(outcome: DecisionOutcome): Conflict {
  if (outcome.result === "not_found") return { kind: "deleted" };
  return outcome.code === "edited" ? { kind: "edited" } : { kind: "refused", detail: outcome.detail ?? "" };
}

export function isApplied(outcome: DecisionOutcome): boolean {
  return outcome.result === "applied" || outcome.result === "repeated";
}

function describe(post: Pick<Post, "author_account" | "content" | "emojis">) {
  return { author: post.author_account, snippet: snippetOf(post.content), emojis: post.emojis };
}

/** The server's decisions, then unsent ones of earlier tabs. */
export function firstHistory(
  recent: readonly RecentDecision[],
  pending: readonly Decision[],
): HistoryEntry[] {
  let entries = recent.map(({ author_account, ...decision }): HistoryEntry => ({
    ...decision,
    id: unnamed(decision.post_id),
    author: author_account,
    status: "saved",
  }));
  for (const decision of pending) entries = withPending(entries, decision);
  return entries;
}

/** From another tab or before a reload. The server's answer fills in author and text. */
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
    reason: null,
    at: decision.decided_at ?? new Date().toISOString(),
    author: known?.author ?? "",
    snippet: known?.snippet ?? "",
    emojis: known?.emojis ?? [],
    status: "waiting",
  });
}
