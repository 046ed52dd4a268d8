"use client";
import { SearchStop } from "#components/post-filters/search-stop.tsx";
import type { FilterControl } from "#components/post-filters/use-filters.ts";

/** Shown instead of a card when the search stopped early. */
export function DeckStop({ control, place }: { control: FilterControl; place: string }) {
  return (
    <div className="m-auto max-w-md p-4">
      <SearchStop
        stopped={{ search_after: place }}
        order={control.filters.order ?? null}
        href={control.hrefWith({ search_after: place })}
      />
    </div>
  );
}
