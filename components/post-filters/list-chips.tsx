"use client";
import { useRejectReasons } from "#components/shell/reasons-context.tsx";
import { FilterChips, type FilterChipsProps } from "./filter-chips.tsx";
import { listFilterWords } from "./list-filter-words.ts";

export function ListChips(props: Omit<FilterChipsProps, "wordsOf">) {
  const reasons = useRejectReasons();
  return <FilterChips {...props} wordsOf={(name, filters) => listFilterWords(name, filters, reasons)} />;
}
