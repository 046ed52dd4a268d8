"use client";
import { FilterChips, type FilterChipsProps } from "./filter-chips.tsx";
import { listFilterWords } from "./list-filter-words.ts";

export function ListChips(props: Omit<FilterChipsProps, "wordsOf">) {
  return <FilterChips {...props} wordsOf={listFilterWords} />;
}
