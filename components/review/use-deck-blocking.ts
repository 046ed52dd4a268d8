"use client";
import type { BlockTarget, WaitingChoice } from "#components/blocking/reach-question.ts";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { CardMarks } from "./use-author-actions.ts";
import { sameTag } from "./use-card-marks.ts";
import type { Desk } from "./use-desk.ts";

/** Blocks at the desk: cards that were rejected with the block leave it, and the key of undo takes the block back. */
export function useDeckBlocking(desk: Desk | null, marks: CardMarks) {
  const mark = ({ kind, name }: BlockTarget, on: boolean) =>
    kind === "user" ? marks.blocked(name, on) : marks.blockedHashtag(name.slice(1), on);
  return useBlocking({
    blocked: (target, waiting) => {
      mark(target, true);
      const gone = desk?.store.getState().cards.filter((card) => isRejected(card, target, waiting)) ?? [];
      if (gone.length > 0) desk?.store.removeCards(target.name, new Set(gone.map(({ id }) => id)));
    },
    restored: (target) => {
      mark(target, false);
      desk?.store.retry();
    },
  });
}

function isRejected(card: DeckCard, { kind, name, postId }: BlockTarget, waiting: WaitingChoice): boolean {
  if (waiting === "none") return false;
  if (waiting === "this") return card.id === postId;
  return kind === "user"
    ? card.author_account === name
    : card.hashtags.some((tag) => sameTag(`#${tag}`, name));
}
