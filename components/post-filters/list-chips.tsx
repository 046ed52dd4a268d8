"use client";
import { FilterChips, type FilterChipsProps } from "./filter-chips.tsx";
import { listFilterWords } from "./list-filter-words.ts";

/** Chips that have words for the filters of lists as well. */
export function ListChips(props: Omit<FilterChipsProps, "wordsOf">) {
  return <FilterChips {...props} wordsOf={listFilterWords} />;
}
