"use client";
import { X } from "lucide-react";
import { useRejectReasons } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { ErrorState, Notice } from "#components/ui/states.tsx";
import type { FieldProblem } from "#lib/client/api-failure.ts";
import {
  setFilters as chosen,
  stateOf,
  withState,
  type FilterName,
  type Filters,
} from "#lib/client/desk/post-filters.ts";
import { filterWords, type FilterChoices } from "./filter-words.ts";
import type { FilterControl } from "./use-filters.ts";

/** Filters hidden beside a more precise one. */
const shownWith: Partial<Record<FilterName, FilterName>> = { reviewer: "reviewed_by" };

export function FilterChips({
  filters,
  setFilters,
  choices,
}: Pick<FilterControl, "filters" | "setFilters"> & { choices: FilterChoices }) {
  const reasons = useRejectReasons();
  const timeZone = useTimeZone();
  const names = chosen(filters).filter((name) => {
    const by = shownWith[name];
    return by === undefined || filters[by] === undefined;
  });
  if (names.length === 0) return null;
  const without = (name: FilterName): Filters =>
    Object.fromEntries(
      Object.entries(filters).filter(([each]) => each !== name && shownWith[each as FilterName] !== name),
    );
  // State and order belong to the view and are kept.
  const onlyView = (): Filters => ({
    ...withState({}, stateOf(filters) ?? "all"),
    ...(filters.order ? { order: filters.order } : {}),
  });
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5">
      {names.map((name) => {
        const text = filterWords(name, filters, choices, reasons, timeZone);
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

/** Offers no retry, because the same address would be refused again. */
export function RefusedFilters({
  errors,
  requestId,
  setFilters,
}: {
  errors: readonly FieldProblem[];
  requestId?: string | null;
  setFilters: FilterControl["setFilters"];
}) {
  return (
    <ErrorState title="The posts could not be loaded" requestId={requestId ?? null}>
      {errors.map(({ path, message }) => (
        <p key={path} className="wrap-anywhere">
          {path}: {message}
        </p>
      ))}
      <Button size="sm" className="mt-4" onClick={() => setFilters({})}>
        Clear filters
      </Button>
    </ErrorState>
  );
}

/** Notice for a search that did not read all posts. */
export function IncompleteSearch() {
  return (
    <Notice>
      These words are so frequent that only the first 20,000 posts were searched. Add a filter, a date or a
      rarer word to search all posts.
    </Notice>
  );
}
