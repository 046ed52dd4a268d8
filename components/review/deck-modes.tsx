"use client";
import { CircleHelp, Clock, Users } from "lucide-react";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { cn } from "#components/ui/cn.ts";
import { deskModes, modeOf, withMode, type DeskMode } from "#lib/client/desk/modes.ts";

const modes = { oldest: "Oldest", ai_unsure: "Doubts first", author: "By author" } as const;

const icons = { oldest: Clock, ai_unsure: CircleHelp, author: Users } satisfies Record<DeskMode, unknown>;

/** The order of the deck. */
export function DeckModes({ control: { filters, setFilters } }: { control: FilterControl }) {
  const current = modeOf(filters);
  return (
    <div
      role="group"
      aria-label="Order"
      className="inline-flex h-control-sm shrink-0 rounded-md border border-line-strong bg-surface p-0.5 max-desk:border-0"
    >
      {deskModes.map((mode) => {
        const Icon = icons[mode];
        return (
          <button
            key={mode}
            type="button"
            aria-pressed={mode === current}
            title={modes[mode]}
            onClick={() => setFilters(withMode(filters, mode))}
            className={cn(
              "inline-flex items-center gap-1.5 rounded-sm px-2 text-13 font-medium transition-colors",
              mode === current ? "bg-accent-quiet text-text" : "text-muted hover:text-text",
            )}
          >
            <Icon aria-hidden className="size-4 wide:hidden" />
            <span className="max-wide:hidden-visually">{modes[mode]}</span>
          </button>
        );
      })}
    </div>
  );
}
