"use client";
import { useCallback, useRef, useState } from "react";
import { notifyDone, notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import type { Filters } from "#lib/desk/filters.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";

export type Verdict = "approve" | "reject";
export type BatchTarget = { post_ids: readonly number[] } | { filter: Filters };

export function useBatch(reload: () => Promise<unknown>) {
  const [pending, setPending] = useState<Verdict | null>(null);
  const last = useRef<string | null>(null);

  const undo = useCallback(
    async (id: string) => {
      last.current = null;
      try {
        const { changed } = await apiFetch<BatchResult>(`/review/batch/${id}/undo`, { method: "POST" });
        notifyDone(words.reviewTools.batchUndone(changed));
      } catch (thrown) {
        notifyFailed(words.reviewTools.batchUndoFailed, asFailure(thrown));
      }
      await reload();
    },
    [reload],
  );

  const run = useCallback(
    async (decision: Verdict, target: BatchTarget): Promise<boolean> => {
      setPending(decision);
      try {
        const body = { decision, ...target };
        const { batch_id, changed, unchanged } = await apiFetch<BatchResult>("/review/batch", {
          method: "POST",
          body,
        });
        await reload();
        const refused = unchanged.length;
        const some =
          refused > 0 ? `${words.reviewTools.batchSome(refused)}: ${unchanged[0]?.detail ?? ""}` : undefined;
        if (changed === 0) {
          notifyInfo(words.reviewTools.batchNone, some);
        } else {
          last.current = batch_id;
          notifyDone(words.reviewTools.batchDone[decision](changed), {
            ...(some ? { description: some } : {}),
            undo: () => void undo(batch_id),
          });
        }
        return true;
      } catch (thrown) {
        notifyFailed(words.reviewTools.batchFailed, asFailure(thrown));
        return false;
      } finally {
        setPending(null);
      }
    },
    [reload, undo],
  );

  const undoLast = useCallback(() => {
    if (last.current !== null) void undo(last.current);
    else notifyInfo(words.review.nothingToUndo);
  }, [undo]);

  return { run, undoLast, pending };
}
