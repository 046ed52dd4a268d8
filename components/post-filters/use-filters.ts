import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { readFilters, writeFilters, type Filters } from "#lib/client/desk/post-filters.ts";

export interface FilterControl {
  filters: Filters;
  /** Also returns to the first page. */
  setFilters: (filters: Filters) => void;
  /** The same filters in another view. */
  viewHref: (view: string | null) => string;
}

/** Changes the address without the router, so that the server does not render the desk again. */
function pushAddress(href: string): void {
  window.history.pushState(null, "", href);
}

/** Filters of the address. They survive reloads and can be shared. */
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
