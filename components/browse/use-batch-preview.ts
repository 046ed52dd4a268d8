"use client";
import { useEffect, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { BatchCount } from "#lib/review/batch-schema.ts";
import type { BatchOrder } from "./use-batch.ts";

/** Time without a change of the posts: each picture that scrolls into view may add one. */
const QUIET_MS = 300;

/** The server's count of a batch, or null until it is known for exactly these posts. */
export function useBatchPreview({ decision, shown }: BatchOrder, ids: readonly number[]): BatchCount | null {
  // Equal for equal posts, so that a new array of the same ids does not count again.
  const request = JSON.stringify({ decision, post_ids: ids, shown });
  const isEmpty = ids.length === 0;
  const [counted, setCounted] = useState<{ request: string; preview: BatchCount } | null>(null);
  useEffect(() => {
    if (isEmpty) return;
    let isCurrent = true;
    const count = async () => {
      try {
        const preview = await apiFetch<BatchCount>("/review/batch?dry_run=true", {
          method: "POST",
          body: JSON.parse(request) as object,
        });
        if (isCurrent) setCounted({ request, preview });
      } catch {
        // The batch itself shows its error.
      }
    };
    const timer = setTimeout(() => void count(), QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [request, isEmpty]);
  return counted?.request === request ? counted.preview : null;
}
