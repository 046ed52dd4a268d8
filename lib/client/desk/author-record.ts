import type { AuthorHistory } from "#lib/review/author-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";

/** `approved` is null for a post that is unreviewed again. */
export interface Verdict {
  post: Pick<DeckCard, "id" | "author_account" | "content" | "emojis"> & { snippet?: string };
  approved: boolean | null;
  /** ISO. */
  at: string;
}

/** Adds or removes a decision of this desk. A decision that the server has counted changes nothing. */
export function withVerdict(record: AuthorHistory, { post, approved, at }: Verdict): AuthorHistory {
  const known = record.last_decisions.find((each) => each.post_id === post.id);
  const was = known?.approved ?? null;
  if (was === approved) return record;
  const change = (side: boolean) => Number(approved === side) - Number(was === side);
  const others = record.last_decisions.filter((each) => each !== known);
  const own = {
    post_id: post.id,
    reviewed_at: at,
    auto_reject_reason: null,
    reject_reason_label: null,
    reviewer_notes: null,
    snippet: post.snippet ?? "",
    emojis: post.emojis,
  };
  return {
    ...record,
    approved: Math.max(0, record.approved + change(true)),
    rejected: Math.max(0, record.rejected + change(false)),
    auto_rejected: Math.max(0, record.auto_rejected - Number(known?.auto_reject_reason != null)),
    last_decisions: approved === null ? others : [{ ...own, approved }, ...others],
  };
}

/** The card with verdicts on other posts of its author. */
export function withVerdicts<C extends DeckCard>(card: C, verdicts: readonly Verdict[]): C {
  let record = card.author_history;
  for (const verdict of verdicts)
    if (verdict.post.author_account === card.author_account && verdict.post.id !== card.id)
      record = withVerdict(record, verdict);
  return record === card.author_history ? card : { ...card, author_history: record };
}
