"use client";
import { useEffect, useState } from "react";
import { countAction } from "#components/blocking/use-blocking.ts";
import { notifyInfo } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { ActionPreview } from "#lib/actions/schema.ts";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const DOUBLE_CLICK_MS = 500;

export interface DeletionOptions<Output> {
  /** Name of the action for `POST /actions/preview`. */
  action: string;
  /** Deletes the counted posts or entries. */
  remove: (token: string) => Promise<Output>;
  refresh: string[];
  onDone: (output: Output) => void;
  /** Called when the count or the deletion fails. */
  onFailed?: (failure: ApiFailure) => void;
}

/** A deletion without undo, in two steps: the server counts, then exactly that is deleted. */
export function useDeletion<Output>(options: DeletionOptions<Output>) {
  const { action, remove, refresh, onDone, onFailed } = options;
  const [counted, setCounted] = useState<{ body: object; preview: ActionPreview } | null>(null);
  const count = useMutation<object, ActionPreview>((body) => countAction(action, body), {
    onDone: (preview, body) => setCounted({ body, preview }),
    onFailed: (failure) => onFailed?.(failure),
  });
  const deletion = useMutation<ActionPreview, Output>(({ token }) => remove(token), {
    refresh: [...refresh, "/actions*"],
    onDone: (output) => {
      setCounted(null);
      onDone(output);
    },
    onFailed: (failure) => {
      const body = counted?.body;
      setCounted(null);
      // Something changed since it was counted: the person sees the new figures before the next press.
      const isOutdated = failure.code === "reach_grown" || failure.code === "preview_not_valid";
      if (!isOutdated || body === undefined) return onFailed?.(failure);
      notifyInfo(words.actions.countedAgain);
      void count.run(body);
    },
  });
  const [ready, setReady] = useState(false);
  useEffect(() => {
    if (counted === null) return undefined;
    const timer = setTimeout(() => setReady(true), DOUBLE_CLICK_MS);
    return () => {
      clearTimeout(timer);
      setReady(false);
    };
  }, [counted]);
  return {
    /** The figures are new: the second half of a double click must not delete. */
    tooSoon: counted !== null && !ready,
    /** Null until the figures are there. */
    counted: counted?.preview ?? null,
    count: count.run,
    /** @param preview of `count`, before it is drawn */
    run: (preview = counted?.preview) =>
      preview === undefined ? Promise.resolve(undefined) : deletion.run(preview),
    counting: count.pending,
    pending: deletion.pending,
    failure: count.failure ?? deletion.failure,
    reset: () => {
      setCounted(null);
      count.reset();
      deletion.reset();
    },
  };
}
