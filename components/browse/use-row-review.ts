"use client";
import { useCallback, useRef } from "react";
import { answerWords } from "#components/post/advice-words.ts";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Post, ReviewAnswer } from "#lib/posts/schema.ts";
import { conflictText } from "#components/review/conflict-text.ts";

type Reviewable = Pick<Post, "id" | "approved" | "reviewer_notes">;
export type RowReview = (post: Reviewable, approved: boolean | null, reason?: string) => Promise<void>;

export function useRowReview(reload: () => Promise<unknown>): RowReview {
  const underWay = useRef(new Set<number>());
  return useCallback(
    async (post, approved, reason) => {
      // A repeated key press was not meant for the post a second time.
      if (underWay.current.has(post.id)) return;
      const send = async (body: object, refused: string): Promise<ReviewAnswer | null> => {
        underWay.current.add(post.id);
        try {
          return await apiFetch<ReviewAnswer>(`/posts/${post.id}`, { method: "PATCH", body });
        } catch (thrown) {
          notifyFailed(refused, withPlainDetail(asFailure(thrown)));
          return null;
        } finally {
          await reload();
          underWay.current.delete(post.id);
        }
      };
      const noted = reason === undefined ? {} : { reviewer_notes: reason };
      const undo = async () => {
        const before = reason === undefined ? {} : { reviewer_notes: post.reviewer_notes };
        if (await send({ approved: post.approved, ...before }, words.review.undoRefused))
          notifyDone(words.reviewTools.rowPutBack);
      };
      const answer = await send({ approved, ...noted }, words.reviewTools.rowFailed);
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
