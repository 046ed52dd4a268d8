"use client";
import { useMemo } from "react";
import type { Desk } from "./use-desk.ts";

/** The blocks that the cards of the desk show. */
export interface CardMarks {
  blocked: (account: string, blocked: boolean) => void;
  blockedHashtag: (tag: string, blocked: boolean) => void;
}

export function useCardMarks(desk: Desk | null): CardMarks {
  return useMemo(
    () => ({
      blocked: (account, blocked) =>
        desk?.store.patchCards((card) =>
          card.author_account === account ? { ...card, author_blocked: blocked } : card,
        ),
      blockedHashtag: (tag, blocked) =>
        desk?.store.patchCards((card) =>
          card.hashtags.some((each) => sameTag(each, tag))
            ? {
                ...card,
                blocked_hashtags: blocked
                  ? [...card.blocked_hashtags, ...card.hashtags.filter((each) => sameTag(each, tag))]
                  : card.blocked_hashtags.filter((each) => !sameTag(each, tag)),
              }
            : card,
        ),
    }),
    [desk],
  );
}

/** Approximate. The server folds hashtags as Mastodon does. */
export function sameTag(a: string, b: string): boolean {
  return a.normalize("NFKC").toLowerCase() === b.normalize("NFKC").toLowerCase();
}
