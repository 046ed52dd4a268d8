"use client";
import { useMemo } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import type { BlockTarget } from "#components/blocking/reach-question.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import * as words from "#components/words/desk.ts";
import { act, whenUndone } from "#lib/client/actions.ts";
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
        const { id } = await act(path, { method: "PUT", body: { standing: to } });
        whenUndone(id, () => {
          marks.standing(account, from);
          marks.settled?.();
        });
        notifyDone(standingWords(account, to, from), {
          undo: () => undoById(id, () => standingWords(account, from, to)),
        });
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

/**
 * A block of the author, for `useBlocking`.
 *
 * @param mayManage offers the domain as a second choice
 */
export function authorTarget(account: string, mayManage: boolean, postId?: number): BlockTarget {
  return {
    kind: "user",
    body: { account_identifier: account, pattern_type: "exact" },
    name: account,
    ...(mayManage ? { host: hostOf(account) } : {}),
    ...(postId === undefined ? {} : { postId }),
  };
}

/** `host` of `@user@host`. */
export function hostOf(account: string): string {
  return account.slice(account.lastIndexOf("@") + 1);
}
