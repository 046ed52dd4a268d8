"use client";
import { useState } from "react";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import type { Profile } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { pickSavedFilter, readSavedFilters, type SavedFilter } from "#lib/client/desk/saved-filters.ts";

/** Those in the bar. A second choice of a filter clears it. */
export function useSavedFilters(first: readonly SavedFilter[], { filters, setFilters }: FilterControl) {
  const [saved, setSaved] = useState(first);
  return {
    saved,
    pick: (index: number) => {
      const chosen = pickSavedFilter(saved, index, filters);
      if (chosen !== null) setFilters(chosen);
    },
    /** The sheet saves and deletes filters. */
    reload: () =>
      void apiFetch<Profile>("/profile").then(
        ({ preferences }) => setSaved(readSavedFilters(preferences)),
        () => undefined,
      ),
  };
}
