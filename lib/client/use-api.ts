"use client";
import useSWR, { type SWRConfiguration } from "swr";
import type { ApiFailure } from "./api-failure.ts";
import { apiFetch } from "./api-fetch.ts";

export interface UseApiOptions<T> {
  /** What the server already rendered with; no request is made for it on mount. */
  fallback?: T;
  /** Ask again every so many milliseconds while the tab is visible. */
  refreshEvery?: number;
  /** Keep showing the last answer while the next path's is on its way (paging, filters). */
  keepPrevious?: boolean;
  /** Ask again when the tab gets the focus back. Default true. */
  refreshOnFocus?: boolean;
}

export interface ApiState<T> {
  data: T | undefined;
  failure: ApiFailure | undefined;
  /** Nothing to show yet and a request is under way. */
  loading: boolean;
  /** A request is under way, with or without something to show. */
  refreshing: boolean;
  /** Asks again, or puts a value in place at once (`reload(next, { revalidate: false })`). */
  reload: ReturnType<typeof useSWR<T, ApiFailure>>["mutate"];
}

/** Reads a GET path of the API and keeps it fresh; `null` asks for nothing. Same path, one request. */
export function useApi<T>(path: string | null, options: UseApiOptions<T> = {}): ApiState<T> {
  const config: SWRConfiguration<T, ApiFailure> = {
    focusThrottleInterval: 10_000,
    keepPreviousData: options.keepPrevious ?? false,
    refreshInterval: options.refreshEvery ?? 0,
    revalidateOnFocus: options.refreshOnFocus ?? true,
    // A refusal will not change by asking again; only silence and the server's own trouble are retried.
    shouldRetryOnError: (failure) => failure.status === 0 || failure.status >= 500,
    errorRetryCount: 3,
    ...(options.fallback === undefined ? {} : { fallbackData: options.fallback, revalidateOnMount: false }),
  };
  const { data, error, isLoading, isValidating, mutate } = useSWR<T, ApiFailure>(
    path,
    (key: string) => apiFetch<T>(key),
    config,
  );
  return { data, failure: error, loading: isLoading, refreshing: isValidating, reload: mutate };
}
