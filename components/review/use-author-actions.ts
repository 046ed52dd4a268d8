"use client";
import { useMemo } from "react";
import { undoById } from "#components/actions/undo-store.ts";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import * as words from "#components/words/desk.ts";
import { act, whenUndone } from "#lib/client/actions.ts";
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

    const block = async (list: string, body: object, name: string, mark: (on: boolean) => void) => {
      mark(true);
      try {
        const { id } = await act(`/reblog-controls/${list}`, { method: "POST", body });
        whenUndone(id, () => {
          mark(false);
          marks.settled?.();
        });
        notifyDone(words.post.blockedNow(name), {
          undo: () => undoById(id, () => words.post.unblockedNow(name)),
        });
      } catch (thrown) {
        const failure = asFailure(thrown);
        if (failure.status === 409) return notifyInfo(words.post.alreadyBlocked(name));
        mark(false);
        notifyFailed(words.post.blockFailed, failure);
      } finally {
        marks.settled?.();
      }
    };

    const blockAuthor = (account: string) =>
      block("blocked-users", { account_identifier: account, pattern_type: "exact" }, account, (on) =>
        marks.blocked(account, on),
      );

    const unblockAuthor = async (account: string, entryId: number): Promise<void> => {
      try {
        const path = `/reblog-controls/blocked-users/${entryId}`;
        const { id } = await act(path, { method: "DELETE" });
        marks.blocked(account, false);
        whenUndone(id, () => {
          marks.blocked(account, true);
          marks.settled?.();
        });
        notifyDone(words.post.unblockedNow(account), { undo: () => undoById(id) });
      } catch (thrown) {
        notifyFailed(words.post.blockFailed, asFailure(thrown));
      } finally {
        marks.settled?.();
      }
    };

    return {
      stand,
      blockAuthor,
      unblockAuthor,
      blockHashtag: (tag: string) =>
        block("blocked-hashtags", { hashtag: tag }, `#${tag.replace(/^#/, "")}`, (on) =>
          marks.blockedHashtag(tag, on),
        ),
    };
  }, [marks]);
}

function standingWords(account: string, to: Standing, from: Standing): string {
  if (to === "trusted") return words.post.trustedNow(account);
  if (to === "muted") return words.post.mutedNow(account);
  return from === "muted" ? words.post.unmutedNow(account) : words.post.untrustedNow(account);
}
