"use client";
import { useEffect, useState } from "react";
import type { ActionPreview } from "#lib/actions/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { BatchOrder } from "./use-batch.ts";

/** Time without a change of the posts: each picture that scrolls into view may add one. */
const QUIET_MS = 300;

/** The server's count of a batch, or null until it is known for exactly these posts. */
export function useBatchPreview(
  { decision, shown }: BatchOrder,
  ids: readonly number[],
): ActionPreview | null {
  // Equal for equal posts, so that a new array of the same ids does not count again.
  const request = JSON.stringify({ decision, post_ids: ids, shown });
  const isEmpty = ids.length === 0;
  const [counted, setCounted] = useState<{ request: string; preview: ActionPreview } | null>(null);
  useEffect(() => {
    if (isEmpty) return;
    let isCurrent = true;
    const count = async () => {
      const body = { action: "batch", body: JSON.parse(request) as unknown };
      try {
        const preview = await apiFetch<ActionPreview>("/actions/preview", { method: "POST", body });
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
