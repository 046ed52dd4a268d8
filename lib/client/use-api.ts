"use client";
import useSWR, { type SWRConfiguration } from "swr";
import type { ApiFailure } from "./api-failure.ts";
import { apiFetch } from "./api-fetch.ts";

export interface UseApiOptions<T> {
  /** From the server's rendering: no request on mount. */
  fallback?: T;
  refreshEvery?: number;
  /** Keep the last answer until the next path's arrives. */
  keepPrevious?: boolean;
  refreshOnFocus?: boolean;
}

export interface ApiState<T> {
  data: T | undefined;
  failure: ApiFailure | undefined;
  loading: boolean;
  refreshing: boolean;
  /** Requests again, or sets a value (`reload(next, { revalidate: false })`). */
  reload: ReturnType<typeof useSWR<T, ApiFailure>>["mutate"];
}

/** `null` reads nothing. Equal paths share one request. */
export function useApi<T>(path: string | null, options: UseApiOptions<T> = {}): ApiState<T> {
  const config: SWRConfiguration<T, ApiFailure> = {
    focusThrottleInterval: 10_000,
    keepPreviousData: options.keepPrevious ?? false,
    refreshInterval: options.refreshEvery ?? 0,
    revalidateOnFocus: options.refreshOnFocus ?? true,
    // 4xx answers are final.
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
