import { type Mutation, useMutation } from "#lib/client/use-mutation.ts";
import { notifyDone, notifyFailed } from "./toast.tsx";

export interface RemovalOptions<Entry> {
  remove: (entry: Entry) => Promise<unknown>;
  /** Stores the entry again. */
  restore: (entry: Entry) => Promise<unknown>;
  /** Paths, as of useMutation. */
  refresh: string[];
  removed: (entry: Entry) => string;
  /** Without it an undo is visible in the list only. */
  restored?: (entry: Entry) => string;
  refused: string;
  onRemoved?: () => void;
}

/** Removes an entry of a list at once, and offers an undo in the message about it. */
export function useRemoval<Entry>(options: RemovalOptions<Entry>): Mutation<Entry, unknown> {
  const { remove, restore, refresh, removed, restored, refused, onRemoved } = options;
  const again = useMutation<Entry>(restore, {
    refresh,
    onDone: (_nothing, entry) => {
      if (restored !== undefined) notifyDone(restored(entry));
    },
    onFailed: (failure) => notifyFailed(refused, failure),
  });
  return useMutation<Entry>(remove, {
    refresh,
    onDone: (_nothing, entry) => {
      notifyDone(removed(entry), { undo: () => void again.run(entry) });
      onRemoved?.();
    },
    onFailed: (failure) => notifyFailed(refused, failure),
  });
}
