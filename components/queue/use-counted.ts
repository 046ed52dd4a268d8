"use client";
import { useEffect, useState } from "react";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const DOUBLE_CLICK_MS = 500;

export interface CountedOptions<Count, Output> {
  /** A request with `dry_run`. */
  count: () => Promise<Count>;
  /** With `as_of` of the count. */
  run: (counted: Count) => Promise<Output>;
  refresh: string[];
  onDone: (output: Output) => void;
  onFailed?: (failure: ApiFailure) => void;
}

/** A deletion in two steps: the server counts, then exactly that is deleted. */
export function useCounted<Count, Output>({
  count,
  run,
  refresh,
  onDone,
  onFailed,
}: CountedOptions<Count, Output>) {
  const [counted, setCounted] = useState<Count | null>(null);
  const [ready, setReady] = useState(false);
  const fail = (failure: ApiFailure) => {
    setCounted(null);
    onFailed?.(failure);
  };
  const counting = useMutation<void, Count>(count, { onDone: setCounted, onFailed: fail });
  const running = useMutation<Count, Output>(run, {
    refresh,
    onDone: (output) => {
      setCounted(null);
      onDone(output);
    },
    onFailed: fail,
  });
  useEffect(() => {
    if (counted === null) return undefined;
    const timer = setTimeout(() => setReady(true), DOUBLE_CLICK_MS);
    return () => {
      clearTimeout(timer);
      setReady(false);
    };
  }, [counted]);
  return {
    /** Null until the figures are there. */
    counted,
    /** The figures are new: the second half of a double click must not delete. */
    tooSoon: counted !== null && !ready,
    count: () => counting.run(),
    run: () => (counted === null ? Promise.resolve(undefined) : running.run(counted)),
    counting: counting.pending,
    pending: running.pending,
    failure: counting.failure ?? running.failure,
    reset: () => {
      setCounted(null);
      counting.reset();
      running.reset();
    },
  };
}
