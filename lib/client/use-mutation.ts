import { useCallback, useEffect, useRef, useState } from "react";
import { asFailure, type ApiFailure } from "./api-failure.ts";

export interface MutationOptions<Output> {
  onDone?: (output: Output) => void;
  /** Without it, the caller shows `failure`. */
  onFailed?: (failure: ApiFailure) => void;
}

export interface Mutation<Input, Output> {
  /** @returns the result, or undefined after an error; never throws */
  run: (input: Input) => Promise<Output | undefined>;
  pending: boolean;
  failure: ApiFailure | undefined;
}

/** Runs one change at a time: a call while another runs does nothing. */
export function useMutation<Input, Output = unknown>(
  act: (input: Input) => Promise<Output>,
  options: MutationOptions<Output> = {},
): Mutation<Input, Output> {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<ApiFailure>();
  const latest = useRef({ act, options });
  useEffect(() => {
    latest.current = { act, options };
  });
  const running = useRef(false);

  const run = useCallback(async (input: Input): Promise<Output | undefined> => {
    // State updates too late to stop the second click of a double click.
    if (running.current) return undefined;
    running.current = true;
    setPending(true);
    setFailure(undefined);
    const { act: now, options: settings } = latest.current;
    try {
      const output = await now(input);
      settings.onDone?.(output);
      return output;
    } catch (thrown) {
      const refusal = asFailure(thrown);
      setFailure(refusal);
      settings.onFailed?.(refusal);
      return undefined;
    } finally {
      running.current = false;
      setPending(false);
    }
  }, []);
  return { run, pending, failure };
}
