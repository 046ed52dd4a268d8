"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { readFilters, writeFilters, type Filters } from "#lib/client/desk/post-filters.ts";

export interface FilterControl {
  filters: Filters;
  /** Returns to the first page. */
  setFilters: (filters: Filters) => void;
  hrefWith: (other: Record<string, string | null>) => string;
}

/** Kept when filters change. */
const KEPT = ["view", "limit"];

/** Filters in the address survive reloads and can be shared. */
export function useFilters(): FilterControl {
  const params = useSearchParams();
  const pathname = usePathname();
  const filters = useMemo(() => readFilters(new URLSearchParams(params)), [params]);

  const hrefWith = useCallback(
    (other: Record<string, string | null>) => {
      const next = new URLSearchParams(writeFilters(filters));
      for (const name of [...KEPT, "skip"]) {
        const value = params.get(name);
        if (value !== null) next.set(name, value);
      }
      for (const [name, value] of Object.entries(other)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      const query = next.toString();
      return query === "" ? pathname : `${pathname}?${query}`;
    },
    [filters, params, pathname],
  );

  const setFilters = useCallback(
    (wanted: Filters) => {
      const next = new URLSearchParams(writeFilters(wanted));
      for (const name of KEPT) {
        const value = params.get(name);
        if (value !== null) next.set(name, value);
      }
      const query = next.toString();
      // Not through the router, because the page need not be rendered again.
      window.history.pushState(null, "", query === "" ? pathname : `${pathname}?${query}`);
    },
    [params, pathname],
  );

  return { filters, setFilters, hrefWith };
}
