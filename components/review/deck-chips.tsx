"use client";
import { FilterChips, type FilterChipsProps } from "#components/post-filters/filter-chips.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { deckFilters, listFilterNames } from "#lib/client/desk/post-filters.ts";

// Loaded on demand: list filters reach the desk only through an address.
const ListChips = lazyWithRetry(() =>
  import("#components/post-filters/list-chips.tsx").then((module) => module.ListChips),
);

/** Filters that do not apply to a deck stay in the address. */
export function DeckChips({ control, streams }: Pick<FilterChipsProps, "control" | "streams">) {
  const filters = deckFilters(control.filters);
  const hidden = Object.entries(control.filters).filter(([name]) => !(name in filters));
  const Chips = listFilterNames.some((name) => name in filters) ? ListChips : FilterChips;
  return (
    <Chips
      control={{
        ...control,
        filters,
        setFilters: (next) => control.setFilters({ ...Object.fromEntries(hidden), ...next }),
      }}
      streams={streams}
    />
  );
}
