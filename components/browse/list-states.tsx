"use client";
import { SearchX } from "lucide-react";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { NoPosts } from "#components/streams/no-posts.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { ApiFailure } from "#lib/client/api-failure.ts";
import type { ListPlace } from "#lib/client/desk/list.ts";
import { setFilters, withState, type Filters } from "#lib/client/desk/post-filters.ts";

const RefusedFilters = lazyWithRetry(() =>
  import("#components/post-filters/refused-filters.tsx").then((module) => module.RefusedFilters),
);

/** Refused filters, or a list that could not be loaded. */
export function FailedList({
  failure,
  filters,
  retrying,
  onRetry,
  onClear,
}: {
  failure: ApiFailure;
  filters: Filters;
  retrying: boolean;
  onRetry: () => void;
  onClear: () => void;
}) {
  const title = "The posts could not be loaded";
  return (
    <Card>
      {failure.status === 422 ? (
        <RefusedFilters title={title} failure={failure} filters={filters} onClear={onClear} />
      ) : (
        <ErrorState title={title} failure={failure} onRetry={onRetry} retrying={retrying} />
      )}
    </Card>
  );
}

export function EmptyList({
  place,
  control,
  onCheck,
}: {
  place: ListPlace;
  control: FilterControl;
  onCheck: () => void;
}) {
  const isFiltered = setFilters(control.filters).length > 0;
  return (
    <Card>
      {isFiltered ? (
        <EmptyState
          icon={<SearchX aria-hidden />}
          title="No posts match"
          action={<Button onClick={() => control.setFilters(withState({}, "all"))}>Clear filters</Button>}
        >
          Change the filters, or wait for the next fetch.
        </EmptyState>
      ) : (
        <NoPosts
          title={place === "review" ? "All reviewed" : "No posts yet"}
          icon={<SearchX aria-hidden />}
          onCheck={onCheck}
        />
      )}
    </Card>
  );
}
