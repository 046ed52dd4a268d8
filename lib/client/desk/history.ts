import { plainText } from "#lib/client/plain-text.ts";
import type { Decision, RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { DecisionOutcome } from "./outbox.ts";

/* The member's own decisions, newest first, at most one for each post. */

export type DecisionKind = RecentDecision["decision"];

/** Why a decision was not saved. `edited` has the new version if it is known; `refused` has the server's message. */
export type Conflict =
  | { kind: "edited"; card?: DeckCard }
  | { kind: "leased" }
  | { kind: "deleted" }
  | { kind: "decided"; approved: boolean; by: string | null }
  | { kind: "refused"; detail: string };

export interface Entry {
  id: string;
  post_id: number;
  decision: DecisionKind;
  reason: string | null;
  /** ISO. */
  at: string;
  author: string;
  snippet: string;
  emojis: RecentDecision["emojis"];
  /** `waiting` and `undoing` are not confirmed yet. */
  status: "waiting" | "saved" | "undoing" | "conflict";
  conflict?: Conflict;
  /** Too late to undo. */
  closed?: boolean;
  /** Shown again by an undo. Null after a reload. */
  card: DeckCard | null;
  /** Decided on an earlier day, so not part of today's count. */
  is_uncounted?: boolean;
  /** Id of the unconfirmed undo. */
  undo_id?: string;
}

export const HISTORY_LENGTH = 50;

export function withEntry(entries: readonly Entry[], entry: Entry): Entry[] {
  const others = entries.filter(({ post_id }) => post_id !== entry.post_id);
  return [entry, ...others].slice(0, HISTORY_LENGTH);
}

export function withChanged(entries: readonly Entry[], id: string, change: Partial<Entry>): Entry[] {
  return entries.map((each) => (each.id === id ? { ...each, ...change } : each));
}

/** Author and text from the server's answer, for decisions of an earlier tab. */
export function detailsFrom(entry: Entry, post: DecisionOutcome["post"] = null): Partial<Entry> {
  if (!post) return {};
  const { author_account: author, content, emojis, reject_reason_label: label } = post;
  const reason = entry.reason ?? label ?? null;
  return entry.author === "" ? { author, snippet: snippetOf(content), emojis, reason } : { reason };
}

/** One line of at most `length` characters. */
export function snippetOf(html: string, length = 140): string {
  return plainText(html).replace(/\s+/g, " ").slice(0, length);
}

/** The entry of a new decision, which the server has not confirmed yet. */
export function entryOf(card: DeckCard, id: string, decision: DecisionKind, reason: string | null): Entry {
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
    card,
  };
}

export function isUndoable({ status, closed }: Entry): boolean {
  return (status === "waiting" || status === "saved") && closed !== true;
}

/** The server has answered. */
export function isSettled({ status }: Entry): boolean {
  return status === "saved" || status === "conflict";
}

/** The server's decisions, then unsent ones of earlier tabs. */
export function firstHistory(recent: readonly RecentDecision[], pending: readonly Decision[]): Entry[] {
  const saved = recent.map(({ author_account: author, is_today, ...decision }): Entry => ({
    ...decision,
    is_uncounted: !is_today,
    id: `before-${decision.post_id}`,
    author,
    status: "saved",
    card: null,
  }));
  return pending.reduce(withPending, saved);
}

/** Adds an unsent decision of another tab or of before a reload. The server's answer fills in author and text. */
export function withPending(entries: Entry[], { id, post_id, decision, decided_at }: Decision): Entry[] {
  const known = entries.find((entry) => entry.post_id === post_id);
  if (decision === "undo")
    return known ? withChanged(entries, known.id, { status: "undoing", undo_id: id }) : entries;
  return withEntry(entries, {
    ...(known ?? { author: "", snippet: "", emojis: [], card: null }),
    id,
    post_id,
    decision,
    reason: null,
    is_uncounted: false,
    at: decided_at ?? new Date().toISOString(),
    status: "waiting",
  });
}
