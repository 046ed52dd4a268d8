"use client";
import { useRejectReasons } from "#components/shell/reasons-context.tsx";
import { FilterChips, type FilterChipsProps } from "./filter-chips.tsx";
import type { MemberName } from "./filter-words.ts";
import { listFilterWords } from "./list-filter-words.ts";

export function ListChips({
  members,
  ...props
}: Omit<FilterChipsProps, "wordsOf"> & { members?: readonly MemberName[] | undefined }) {
  const reasons = useRejectReasons();
  return (
    <FilterChips {...props} wordsOf={(name, filters) => listFilterWords(name, filters, reasons, members)} />
  );
}
