"use client";
import { useState } from "react";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { deckQuery } from "#lib/desk/post-filters.ts";
import { savedFilterAt } from "#lib/desk/modes.ts";
import type { SavedFilter } from "#lib/review/saved-filter-schema.ts";

/** Those in the bar. A second choice of a filter clears it. */
export function useSavedFilters(first: readonly SavedFilter[], { filters, setFilters }: FilterControl) {
  const [saved, setSaved] = useState(first);
  return {
    saved,
    pick: (index: number) => {
      const chosen = savedFilterAt(saved, index);
      if (chosen === null) return;
      setFilters(deckQuery(chosen) === deckQuery(filters) ? {} : chosen);
    },
    /** The sheet saves and deletes filters. */
    reload: () => void apiFetch<SavedFilter[]>("/saved-filters").then(setSaved, () => undefined),
  };
}
