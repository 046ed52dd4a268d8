"use client";
import { plural } from "#components/format.ts";
import { useCallback, useEffect, useRef, useState } from "react";
import { notifyDecided } from "#components/review/notify-decided.ts";
import { undoBatch } from "#components/review/undo.ts";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { asFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { BatchRequest, BatchResult } from "#lib/review/batch-schema.ts";

const batchDone = {
  approve: (count: number) => `${plural(count, "post", "posts")} approved`,
  reject: (count: number) => `${plural(count, "post", "posts")} rejected`,
} as const;

export type Verdict = "approve" | "reject";

export interface BatchOrder {
  decision: Verdict;
  /** Only posts of the page that was shown. */
  ids: readonly number[];
  /** Id of the reason of a rejection. */
  reason?: number;
  /** Reviews and versions as the page showed them. The server leaves posts that were reviewed or edited since. */
  shown: BatchRequest["shown"];
  /** Of the server's count. */
  as_of?: string;
}

/** No batch starts for this long after new posts appear, because a second click was meant for the former posts. */
const REST_MS = 1500;

export function useBatch(reload: () => Promise<unknown>) {
  const [pending, setPending] = useState<Verdict | null>(null);
  const isBusy = useRef(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);

  const run = useCallback(
    async ({ decision, ids, reason, as_of, shown }: BatchOrder): Promise<boolean> => {
      if (isBusy.current || ids.length === 0) return false;
      isBusy.current = true;
      setPending(decision);
      try {
        const body = {
          decision,
          post_ids: ids,
          shown,
          ...(reason === undefined ? {} : { reject_reason: reason }),
        };
        const { batch_id, changed, unchanged } = await apiFetch<BatchResult>(
          withQuery("/review/batch", { as_of }),
          {
            method: "POST",
            body,
          },
        );
        await reload();
        const refused = unchanged.length;
        const some =
          refused > 0
            ? `${plural(refused, "post", "posts")} could not be changed: ${unchanged[0]?.detail ?? ""}`
            : undefined;
        if (changed === 0) {
          notifyInfo("No changes needed", some);
        } else {
          notifyDecided(
            batchDone[decision](changed),
            () => undoBatch(batch_id),
            (count: number) => `${plural(count, "post", "posts")} restored`,
            { description: some },
          );
        }
        return true;
      } catch (thrown) {
        notifyFailed("No posts were changed", asFailure(thrown));
        return false;
      } finally {
        rest.current = setTimeout(() => {
          isBusy.current = false;
          setPending(null);
        }, REST_MS);
      }
    },
    [reload],
  );

  return { run, pending };
}
