"use client";
import { useCallback, useRef } from "react";
import { notifyDecided } from "#components/review/notify-decided.ts";
import { undoDecision } from "#components/review/undo.ts";
import { notifyFailed } from "#components/ui/toast.tsx";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";

import type { Post } from "#lib/review/post-schema.ts";
import { conflictText } from "#components/review/conflict-text.ts";

type Reviewable = Pick<Post, "id" | "version">;
export type RowReview = (post: Reviewable, approved: boolean | null, reason?: number) => Promise<void>;

export function useRowReview(reload: () => Promise<unknown>): RowReview {
  const underWay = useRef(new Set<number>());
  return useCallback(
    async (post, approved, reason) => {
      // A repeated key press was not meant for the post a second time.
      if (underWay.current.has(post.id)) return;
      underWay.current.add(post.id);
      try {
        const body = { approved, version: post.version, reject_reason: reason };
        await apiFetch(`/posts/${post.id}`, { method: "PATCH", body });
        notifyDecided(
          messageFor(approved),
          () => undoDecision(post.id),
          () => "Previous decision restored",
        );
      } catch (thrown) {
        notifyFailed("The post was not changed", withPlainDetail(asFailure(thrown)));
      }
      await reload();
      underWay.current.delete(post.id);
    },
    [reload],
  );
}

function messageFor(approved: boolean | null): string {
  if (approved === null) return "Back to unreviewed";
  return approved ? "Approved" : "Rejected";
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
