"use client";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { cn } from "#components/ui/cn.ts";
import { deckQuery } from "#lib/client/desk/post-filters.ts";
import { MAX_SAVED_KEYS, type SavedFilter } from "#lib/client/desk/saved-filters.ts";

export interface SavedFilterBarProps {
  saved: readonly SavedFilter[];
  control: FilterControl;
  onPick: (index: number) => void;
}

/** A second press clears the filter. */
export function SavedFilterBar({ saved, control, onPick }: SavedFilterBarProps) {
  const current = deckQuery(control.filters);
  return (
    <ul
      aria-label="Saved filters"
      className="flex min-w-0 flex-1 items-center gap-1 overflow-x-auto [scrollbar-width:none] max-desk:hidden"
    >
      {saved.slice(0, MAX_SAVED_KEYS).map((filter, index) => {
        const isOn = deckQuery(filter.filter) === current;
        return (
          <li key={filter.name} className="shrink-0">
            <button
              type="button"
              aria-pressed={isOn}
              aria-keyshortcuts={`Shift+${index + 1}`}
              title={`${filter.name} (Shift ${index + 1})`}
              onClick={() => onPick(index)}
              className={cn(
                "h-7 max-w-32 truncate rounded-md px-2 text-13",
                isOn ? "bg-accent-quiet text-text" : "text-muted hover:bg-wash hover:text-text",
              )}
            >
              <bdi>{filter.name}</bdi>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
