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
    blocked: (target, waiting, { id, rejected }) => {
      mark(target, true);
      const posts = desk?.store.getState().cards.filter((card) => isRejected(card, target, waiting)) ?? [];
      if (rejected === 0) return;
      const { name } = target;
      const at = new Date().toISOString();
      desk?.store.batchDone({ id, decision: "reject", at, name, count: rejected, posts });
    },
    restored: (target) => mark(target, false),
  });
}

function isRejected(card: DeckCard, { kind, name, postId }: BlockTarget, waiting: WaitingChoice): boolean {
  if (waiting === "none") return false;
  if (waiting === "this") return card.id === postId;
  return kind === "user"
    ? card.author_account === name
    : card.hashtags.some((tag) => sameTag(`#${tag}`, name));
}
