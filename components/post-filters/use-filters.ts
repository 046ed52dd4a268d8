"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { readFilters, writeFilters, type Filters } from "#lib/desk/filters.ts";

export interface FilterControl {
  filters: Filters;
  /** Where an earlier search stopped and this one begins; null for the beginning. Other filters begin there. */
  searchAfter: string | null;
  /** Puts filters into the address; the page behind the first one is the first again. */
  setFilters: (filters: Filters) => void;
  /** The same place with other parameters beside the filters. */
  hrefWith: (other: Record<string, string | null>) => string;
}

/** Parameters beside the filters that outlive a change of them. */
const KEPT = ["view", "limit"];

/** The filters in the address: they survive every action, a reload, and being sent to somebody. */
export function useFilters(): FilterControl {
  const params = useSearchParams();
  const pathname = usePathname();
  const filters = useMemo(() => readFilters(new URLSearchParams(params)), [params]);
  const searchAfter = params.get("search_after");

  const hrefWith = useCallback(
    (other: Record<string, string | null>) => {
      const next = new URLSearchParams(writeFilters(filters));
      for (const name of [...KEPT, "skip", "search_after"]) {
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
      // Not through the router: the list asks the API by itself, the page need not be rendered again.
      window.history.pushState(null, "", query === "" ? pathname : `${pathname}?${query}`);
    },
    [params, pathname],
  );

  return { filters, searchAfter, setFilters, hrefWith };
}
