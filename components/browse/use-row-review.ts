"use client";
import { useCallback } from "react";
import { answerWords } from "#components/post/advice-words.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Post, ReviewAnswer } from "#lib/posts/schema.ts";
import { conflictText } from "#components/review/conflict-text.ts";

type Reviewable = Pick<Post, "id" | "approved">;

export function useRowReview(reload: () => Promise<unknown>) {
  return useCallback(
    async (post: Reviewable, approved: boolean | null): Promise<void> => {
      const send = async (to: boolean | null, refused: string): Promise<ReviewAnswer | null> => {
        try {
          const body = { approved: to };
          return await apiFetch<ReviewAnswer>(`/posts/${post.id}`, { method: "PATCH", body });
        } catch (thrown) {
          notifyFailed(refused, withPlainDetail(asFailure(thrown)));
          return null;
        } finally {
          await reload();
        }
      };
      const undo = async () => {
        if (await send(post.approved, words.review.undoRefused)) notifyDone(words.reviewTools.rowPutBack);
      };
      const answer = await send(approved, words.reviewTools.rowFailed);
      if (answer) notifyDone(messageFor(approved), { undo: () => void undo(), ...answerWords(answer) });
    },
    [reload],
  );
}

function messageFor(approved: boolean | null): string {
  if (approved === null) return words.reviewTools.rowUndone;
  return approved ? words.reviewTools.rowApproved : words.reviewTools.rowRejected;
}

export function withPlainDetail(failure: ApiFailure): ApiFailure {
  if (failure.status !== 409) return failure;
  const { requestId } = failure;
  return new ApiFailure({
    status: 409,
    detail: conflictText({ kind: "refused", detail: failure.detail }),
    requestId,
  });
}
