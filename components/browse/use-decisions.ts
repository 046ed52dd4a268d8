"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { plural } from "#components/format.ts";
import { conflictText } from "#components/review/conflict-text.ts";
import { notifyDecided } from "#components/review/notify-decided.ts";
import { undoBatch, undoDecision } from "#components/review/undo.ts";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { ApiFailure, asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { BatchCount, BatchRequest, BatchResult } from "#lib/review/batch-schema.ts";
import type { Post } from "#lib/review/post-schema.ts";

export type Verdict = BatchRequest["decision"];

/** A batch on posts of one page, by their ids. */
export type BatchOrder = Pick<BatchRequest, "decision" | "reject_reason" | "shown"> & { post_ids: number[] };

/** No batch starts for this long after new posts appear, because a second press was meant for the former posts. */
const REST_MS = 1500;

const batchDone = { approve: "approved", reject: "rejected" } as const;

export function countBatch(order: BatchOrder): Promise<BatchCount> {
  return apiFetch<BatchCount>("/review/batch?dry_run=true", { method: "POST", body: order });
}

/** Decisions on posts of a page, which is rendered again after each. */
export function useDecisions(posts: readonly Post[]) {
  const router = useRouter();
  const after = () => router.refresh();
  const [pending, setPending] = useState(false);
  const isBusy = useRef(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  const underWay = useRef(new Set<number>());
  useEffect(() => underWay.current.clear(), [posts]);

  const decide = async ({ id, version }: Post, approved: boolean, reject_reason?: number): Promise<void> => {
    // A repeated key press was not meant for the post a second time.
    if (underWay.current.has(id)) return;
    underWay.current.add(id);
    try {
      await apiFetch(`/posts/${id}`, { method: "PATCH", body: { approved, version, reject_reason } });
      notifyDecided(
        approved ? "Approved" : "Rejected",
        () => undoDecision(id),
        () => "Previous decision restored",
        { after },
      );
    } catch (thrown) {
      underWay.current.delete(id);
      notifyFailed("The post was not changed", withPlainDetail(asFailure(thrown)));
    }
    after();
  };

  /** @returns whether the server took it */
  const decideMany = async (order: BatchOrder, as_of?: string): Promise<boolean> => {
    if (isBusy.current || order.post_ids.length === 0) return false;
    isBusy.current = true;
    setPending(true);
    try {
      const path = withQuery("/review/batch", { as_of });
      const { batch_id, changed, unchanged } = await apiFetch<BatchResult>(path, {
        method: "POST",
        body: order,
      });
      after();
      const description =
        unchanged.length === 0
          ? undefined
          : `${plural(unchanged.length, "post", "posts")} could not be changed: ${unchanged[0]?.detail ?? ""}`;
      if (changed === 0) notifyInfo("No changes needed", description);
      else
        notifyDecided(
          `${plural(changed, "post", "posts")} ${batchDone[order.decision]}`,
          () => undoBatch(batch_id),
          (count) => `${plural(count, "post", "posts")} restored`,
          { description, after },
        );
      return true;
    } catch (thrown) {
      notifyFailed("No posts were changed", asFailure(thrown));
      return false;
    } finally {
      rest.current = setTimeout(() => {
        isBusy.current = false;
        setPending(false);
      }, REST_MS);
    }
  };
  return { decide, decideMany, pending };
}

function withPlainDetail(failure: ApiFailure): ApiFailure {
  if (failure.status !== 409) return failure;
  const detail = conflictText({ kind: "refused", detail: failure.detail });
  return new ApiFailure({ status: 409, detail, requestId: failure.requestId });
}
