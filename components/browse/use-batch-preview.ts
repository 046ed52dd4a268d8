"use client";
import { useEffect, useState } from "react";
import type { ActionPreview } from "#lib/actions/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { BatchOrder } from "./use-batch.ts";

/** Milliseconds without a change of the posts: each picture that scrolls into view may add one. */
const QUIET_MS = 300;

/** The server's count of a batch, or null until it is known for exactly these posts. */
export function useBatchPreview(
  decision: BatchOrder["decision"],
  ids: readonly number[],
): ActionPreview | null {
  const key = `${decision} ${ids.join()}`;
  const [counted, setCounted] = useState<{ key: string; preview: ActionPreview } | null>(null);
  useEffect(() => {
    if (ids.length === 0) return;
    let isCurrent = true;
    const count = async () => {
      const body = { action: "batch", body: { decision, post_ids: ids } };
      try {
        const preview = await apiFetch<ActionPreview>("/actions/preview", { method: "POST", body });
        if (isCurrent) setCounted({ key, preview });
      } catch {
        // The batch itself says what is wrong.
      }
    };
    const timer = setTimeout(() => void count(), QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
    // The key stands for decision and ids.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return counted?.key === key ? counted.preview : null;
}
