"use client";
import { useEffect, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";

/** Time without typing before a request. */
const PAUSE_MS = 250;

export interface CountedGroup {
  /** Sent with the action, which then changes exactly these posts. */
  token: string;
  posts: number;
}

/** Counts on the server the posts that an action on a group would change. Null while they are counted. */
export function useCountedGroup(
  action: "requeue" | "dismiss",
  body: { reason: string; limit: number } | null,
): CountedGroup | null {
  const request = body === null ? null : JSON.stringify({ action, body });
  const [known, setKnown] = useState<{ of: string; counted: CountedGroup } | null>(null);
  useEffect(() => {
    if (request === null) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const { signal } = controller;
      apiFetch<ActionPreview>("/actions/preview", {
        method: "POST",
        body: JSON.parse(request) as object,
        signal,
      }).then(
        ({ token, changes }) => setKnown({ of: request, counted: { token, posts: changes } }),
        // The action itself then says why it fails.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request]);
  return known !== null && known.of === request ? known.counted : null;
}
