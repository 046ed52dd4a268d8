"use client";
import { X } from "lucide-react";
import {
  setFilters as chosen,
  stateOf,
  withState,
  type FilterName,
  type Filters,
} from "#lib/client/desk/post-filters.ts";
import { filterWords, type StreamChoice } from "./filter-words.ts";
import type { FilterControl } from "./use-filters.ts";

const shownWith: Partial<Record<FilterName, FilterName>> = { reviewer: "reviewed_by" };

export interface FilterChipsProps {
  control: FilterControl;
  streams: readonly StreamChoice[];
  /** Texts of filters that exist on some pages only. */
  wordsOf?: (name: FilterName, filters: Filters) => string | null;
}

export function FilterChips({ control, streams, wordsOf }: FilterChipsProps) {
  const { filters, setFilters } = control;
  const names = chosen(filters).filter((name) => {
    const by = shownWith[name];
    return by === undefined || filters[by] === undefined;
  });
  const chips = names.map((name) => ({
    name,
    text: wordsOf?.(name, filters) ?? filterWords(name, filters, streams),
  }));
  if (chips.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5">
      {chips.map(({ name, text }) => (
        <li key={name} className="max-w-full">
          <button
            type="button"
            aria-label={`Remove filter: ${text}`}
            onClick={() => {
              const gone = (each: string) => each === name || shownWith[each as FilterName] === name;
              setFilters(Object.fromEntries(Object.entries(filters).filter(([each]) => !gone(each))));
            }}
            className="group inline-flex max-w-full items-center pointer-coarse:-my-1.5 pointer-coarse:h-11"
          >
            {/* The touch target is larger than the chip. */}
            <span className="inline-flex h-7 min-w-0 items-center gap-1 rounded-md bg-accent-quiet ps-2 pe-1 text-13 text-text group-hover:bg-wash pointer-coarse:h-8">
              <bdi className="truncate">{text}</bdi>
              <X aria-hidden className="size-4 shrink-0 text-muted" />
            </span>
          </button>
        </li>
      ))}
      {chips.length > 1 ? (
        <li>
          <button
            type="button"
            onClick={() => setFilters(onlyView(filters))}
            className="inline-flex h-7 items-center rounded-md px-2 text-13 text-muted hover:text-text hover:underline pointer-coarse:-my-1.5 pointer-coarse:h-11"
          >
            Clear filters
          </button>
        </li>
      ) : null}
    </ul>
  );
}

/** State and order select a view and are kept. */
function onlyView(filters: FilterControl["filters"]): FilterControl["filters"] {
  const state = stateOf(filters);
  return { ...(state ? withState({}, state) : {}), ...(filters.order ? { order: filters.order } : {}) };
}
