"use client";
import { X } from "lucide-react";
import { useRejectReasons } from "#components/shell/member-context.tsx";
import {
  setFilters as chosen,
  stateOf,
  withState,
  type FilterName,
  type Filters,
} from "#lib/client/desk/post-filters.ts";
import { filterWords, type FilterChoices } from "./filter-words.ts";
import type { FilterControl } from "./use-filters.ts";

/** `reviewed_by` says more of the same. */
const shownWith: Partial<Record<FilterName, FilterName>> = { reviewer: "reviewed_by" };

export function FilterChips({
  control: { filters, setFilters },
  choices,
}: {
  control: Pick<FilterControl, "filters" | "setFilters">;
  choices: Pick<FilterChoices, "streams" | "members">;
}) {
  const reasons = useRejectReasons();
  const names = chosen(filters).filter((name) => {
    const by = shownWith[name];
    return by === undefined || filters[by] === undefined;
  });
  if (names.length === 0) return null;
  const without = (name: FilterName): Filters =>
    Object.fromEntries(
      Object.entries(filters).filter(([each]) => each !== name && shownWith[each as FilterName] !== name),
    );
  // State and order select a view and are kept.
  const onlyView = (): Filters => ({
    ...withState({}, stateOf(filters) ?? "all"),
    ...(filters.order ? { order: filters.order } : {}),
  });
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5">
      {names.map((name) => {
        const text = filterWords(name, filters, choices, reasons);
        return (
          <li key={name} className="max-w-full">
            <button
              type="button"
              aria-label={`Remove filter: ${text}`}
              onClick={() => setFilters(without(name))}
              className="group inline-flex max-w-full items-center pointer-coarse:-my-1.5 pointer-coarse:h-11"
            >
              {/* The touch target is larger than the chip. */}
              <span className="inline-flex h-7 min-w-0 items-center gap-1 rounded-md bg-accent-quiet ps-2 pe-1 text-13 text-text group-hover:bg-wash pointer-coarse:h-8">
                <bdi className="truncate">{text}</bdi>
                <X aria-hidden className="size-4 shrink-0 text-muted" />
              </span>
            </button>
          </li>
        );
      })}
      {names.length > 1 ? (
        <li>
          <button
            type="button"
            onClick={() => setFilters(onlyView())}
            className="inline-flex h-7 items-center rounded-md px-2 text-13 text-muted hover:text-text hover:underline pointer-coarse:-my-1.5 pointer-coarse:h-11"
          >
            Clear filters
          </button>
        </li>
      ) : null}
    </ul>
  );
}
