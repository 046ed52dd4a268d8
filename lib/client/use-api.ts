import useSWR from "swr";
import type { ApiFailure } from "./api-failure.ts";
import { apiFetch } from "./api-fetch.ts";

export interface UseApiOptions {
  /** Milliseconds; default never. */
  refreshEvery?: number;
  refreshOnFocus?: boolean;
}

/** Reads from the API with SWR. Equal paths share one request. */
export function useApi<T>(path: string, { refreshEvery = 0, refreshOnFocus = true }: UseApiOptions = {}) {
  const { data, error, isValidating, mutate } = useSWR<T, ApiFailure>(
    path,
    (key: string) => apiFetch<T>(key),
    {
      focusThrottleInterval: 10_000,
      refreshInterval: refreshEvery,
      revalidateOnFocus: refreshOnFocus,
      // 4xx answers are final.
      shouldRetryOnError: ({ status }: ApiFailure) => status === 0 || status >= 500,
      errorRetryCount: 3,
    },
  );
  return { data, failure: error, refreshing: isValidating, reload: mutate };
}
