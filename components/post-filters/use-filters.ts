import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { readFilters, writeFilters, type Filters } from "#lib/client/desk/post-filters.ts";

export interface FilterControl {
  filters: Filters;
  /** Returns to the first page. */
  setFilters: (filters: Filters) => void;
  /** The same filters in another view. */
  viewHref: (view: string | null) => string;
}

/** Not through the router: the desk need not be rendered again. */
function pushAddress(href: string): void {
  window.history.pushState(null, "", href);
}

/** Filters in the address survive reloads and can be shared. */
export function useFilters(go: (href: string) => void = pushAddress): FilterControl {
  const params = useSearchParams();
  const pathname = usePathname();
  return useMemo(() => {
    const filters = readFilters(new URLSearchParams(params));
    const hrefOf = (wanted: Filters, view: string | null) => {
      const next = new URLSearchParams(writeFilters(wanted));
      if (view !== null) next.set("view", view);
      const query = next.toString();
      return query === "" ? pathname : `${pathname}?${query}`;
    };
    return {
      filters,
      setFilters: (wanted) => go(hrefOf(wanted, params.get("view"))),
      viewHref: (view) => hrefOf(filters, view),
    };
  }, [params, pathname, go]);
}
