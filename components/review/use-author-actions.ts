"use client";
import { useMemo } from "react";
import type { BlockTarget } from "#components/blocking/reach-question.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import * as words from "#components/words/desk.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import type { Standing } from "#lib/review/author-schema.ts";

/** Reverted when the server refuses. */
export interface CardMarks {
  standing: (account: string, standing: Standing) => void;
  blocked: (account: string, blocked: boolean) => void;
  blockedHashtag: (tag: string, blocked: boolean) => void;
  /** Called after the answer to the action or its undo. */
  settled?: () => void;
}

export function useAuthorActions(marks: CardMarks) {
  return useMemo(() => {
    const stand = async (account: string, to: Standing, from: Standing): Promise<void> => {
      marks.standing(account, to);
      try {
        const path = `/authors/${encodeURIComponent(account)}`;
        await apiFetch(path, { method: "PUT", body: { standing: to } });
        notifyDone(standingWords(account, to, from), { undo: () => void stand(account, from, to) });
      } catch (thrown) {
        marks.standing(account, from);
        notifyFailed(words.post.standingFailed, asFailure(thrown));
      } finally {
        marks.settled?.();
      }
    };

    return { stand };
  }, [marks]);
}

function standingWords(account: string, to: Standing, from: Standing): string {
  if (to === "trusted") return words.post.trustedNow(account);
  if (to === "muted") return words.post.mutedNow(account);
  return from === "muted" ? words.post.unmutedNow(account) : words.post.untrustedNow(account);
}

/** A block of the author, for `useBlocking`. */
export function authorTarget(account: string, postId?: number): BlockTarget {
  return {
    kind: "user",
    body: { account_identifier: account, pattern_type: "exact" },
    name: account,
    ...(postId === undefined ? {} : { postId }),
  };
}
