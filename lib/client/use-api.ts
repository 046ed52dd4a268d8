"use client";
import useSWR, { type SWRConfiguration } from "swr";
import type { ApiFailure } from "./api-failure.ts";
import { apiFetch } from "./api-fetch.ts";

export interface UseApiOptions<T> {
  /** Data from the server's rendering. No request is made on mount. */
  fallback?: T;
  /** Milliseconds between requests while the tab is visible. */
  refreshEvery?: number;
  /** Keep the last answer until the next path's answer arrives (paging, filters). */
  keepPrevious?: boolean;
  /** Request again when the tab gets the focus. Default true. */
  refreshOnFocus?: boolean;
}

export interface ApiState<T> {
  data: T | undefined;
  failure: ApiFailure | undefined;
  /** No data yet and a request is running. */
  loading: boolean;
  /** A request is running, with or without data. */
  refreshing: boolean;
  /** Requests again, or sets a value at once (`reload(next, { revalidate: false })`). */
  reload: ReturnType<typeof useSWR<T, ApiFailure>>["mutate"];
}

/** Reads a GET path of the API and keeps it fresh. `null` reads nothing. Equal paths share one request. */
export function useApi<T>(path: string | null, options: UseApiOptions<T> = {}): ApiState<T> {
  const config: SWRConfiguration<T, ApiFailure> = {
    focusThrottleInterval: 10_000,
    keepPreviousData: options.keepPrevious ?? false,
    refreshInterval: options.refreshEvery ?? 0,
    revalidateOnFocus: options.refreshOnFocus ?? true,
    // 4xx answers are final. Only missing answers and 5xx are retried.
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
