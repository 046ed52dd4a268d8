"use client";
import { useEffect, useMemo, useState } from "react";
import { deckFilters, listFilterNames } from "#lib/client/desk-filters.ts";
import { patiently } from "#lib/client/patiently.ts";
import { FilterChips, type FilterChipsProps } from "./filter-chips.tsx";

type Words = NonNullable<FilterChipsProps["wordsOf"]>;

/**
 * The filters that are on at the desk. Those of lists come there from an address alone, so that their words are loaded
 * when there is one. What does not narrow a deck is left out: it holds what is unreviewed, whatever else is asked.
 */
export function DeckChips({ control, streams }: Pick<FilterChipsProps, "control" | "streams">) {
  const { filters } = control;
  const hasListFilter = listFilterNames.some((name) => filters[name] !== undefined);
  const [wordsOf, setWordsOf] = useState<{ of: Words } | null>(null);
  useEffect(() => {
    if (!hasListFilter) return;
    let isGone = false;
    void patiently(() => import("./list-filter-words.ts")).then((module) => {
      if (!isGone) setWordsOf({ of: module.listFilterWords });
    });
    return () => {
      isGone = true;
    };
  }, [hasListFilter]);
  const shown = useMemo(
    () => ({
      ...control,
      filters: deckFilters(filters),
      // What is left out stays in the address: another view has it.
      setFilters: (next: typeof filters) => control.setFilters({ ...onlyHidden(filters), ...next }),
    }),
    [control, filters],
  );
  if (hasListFilter && wordsOf === null) return null;
  return <FilterChips control={shown} streams={streams} {...(wordsOf ? { wordsOf: wordsOf.of } : {})} />;
}

function onlyHidden(filters: FilterChipsProps["control"]["filters"]) {
  const shown = deckFilters(filters);
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !(name in shown)));
}
