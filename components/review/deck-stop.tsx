"use client";
import { SearchStop } from "#components/post-filters/search-stop.tsx";
import type { FilterControl } from "#components/post-filters/use-filters.ts";

/** In the place of the card when the search for one has stopped: how far it came, and the way on. */
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
