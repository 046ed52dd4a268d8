"use client";
import { later } from "#components/ui/later.tsx";
import { deckFilters, listFilterNames } from "#lib/desk/filters.ts";
import { FilterChips, type FilterChipsProps } from "#components/post-filters/filter-chips.tsx";

// Filters of lists come to the desk from an address alone; their words are loaded when there is one.
const ListChips = later(() =>
  import("#components/post-filters/list-chips.tsx").then((module) => module.ListChips),
);

/**
 * The filters that are on at the desk. What does not narrow a deck is left out, and stays in the address for the other
 * views: a deck holds what is unreviewed, whatever else is asked.
 */
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
