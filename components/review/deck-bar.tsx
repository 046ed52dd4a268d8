import { History, ListFilter } from "lucide-react";
import { useEffect } from "react";
import { formatCount } from "#components/format.ts";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { OrderSwitch, ViewSwitch } from "#components/post-filters/view-switch.tsx";
import { cn } from "#components/ui/cn.ts";
import { IconButton } from "#components/ui/icon-button.tsx";
import type { DeskState } from "#lib/client/desk/desk.ts";
import type { OutboxState } from "#lib/client/desk/outbox.ts";
import { deckFilters, deckQuery, readFilters, setFilters as chosen } from "#lib/client/desk/post-filters.ts";
import type { SavedFilter } from "#lib/client/desk/saved-filters.ts";
import { SaveState } from "./save-state.tsx";

/** Saved filters shown in the bar. */
const MAX_SAVED = 9;

export interface DeckBarProps {
  control: FilterControl;
  outbox: OutboxState;
  state: DeskState;
  /** The member's decisions of today before the desk was loaded. */
  decidedToday: number;
  saved: readonly SavedFilter[];
  onOpen: (opened: { kind: "filters" | "history" }) => void;
}

export function DeckBar({ control, outbox, state, decidedToday, saved, onOpen }: DeckBarProps) {
  const { filters, setFilters } = control;
  const filterCount = chosen(deckFilters(filters)).length;
  const { cards, remaining, leased_to_others: leasedToOthers } = state;
  const all = remaining === null ? null : remaining + leasedToOthers;
  const current = deckQuery(filters);
  useEffect(() => {
    document.title = all ? `(${formatCount(all)}) Review · Sluice` : "Review · Sluice";
  }, [all]);
  return (
    <div className="flex min-h-control shrink-0 flex-wrap items-center gap-x-2 gap-y-1 max-desk:px-3 max-desk:pt-1.5">
      <h1 className="hidden-visually">Review</h1>
      <ViewSwitch control={control} current="deck" />
      <OrderSwitch control={control} />
      {saved.length === 0 ? null : (
        <ul
          aria-label="Saved filters"
          className="flex min-w-0 flex-1 items-center gap-1 overflow-x-auto [scrollbar-width:none] max-desk:hidden"
        >
          {saved.slice(0, MAX_SAVED).map(({ name, query }) => {
            const filter = readFilters(new URLSearchParams(query));
            const isOn = deckQuery(filter) === current;
            return (
              <li key={name} className="shrink-0">
                <button
                  type="button"
                  aria-pressed={isOn}
                  title={name}
                  // A second press clears the filter.
                  onClick={() => setFilters(isOn ? {} : filter)}
                  className={cn(
                    "h-7 max-w-32 truncate rounded-md px-2 text-13",
                    isOn ? "bg-accent-quiet text-text" : "text-muted hover:bg-wash hover:text-text",
                  )}
                >
                  <bdi>{name}</bdi>
                </button>
              </li>
            );
          })}
        </ul>
      )}
      <SaveState state={outbox} />
      <p className="tabular shrink-0 text-13 text-muted" data-left={all ?? ""}>
        {all === null ? "Counting" : `${formatCount(all)}${state.remaining_is_more ? "+" : ""} left`}
        {leasedToOthers > 0 && all !== null && cards.length + leasedToOthers >= all ? (
          <span className="max-desk:hidden-visually">
            {` · ${formatCount(leasedToOthers)} on ${leasedToOthers === 1 ? "another reviewer's desk" : "other reviewers' desks"}`}
          </span>
        ) : null}
        <span className="max-wide:hidden-visually">
          {` · ${formatCount(Math.max(0, decidedToday + state.decided))} decided today`}
        </span>
      </p>
      <div className="flex shrink-0 items-center">
        <IconButton
          label={filterCount === 0 ? "Filters" : `Filters: ${filterCount} set`}
          icon={
            <>
              <ListFilter aria-hidden />
              {filterCount > 0 ? (
                <span aria-hidden className="tabular rounded-sm bg-accent-quiet px-1 text-12">
                  {filterCount}
                </span>
              ) : null}
            </>
          }
          onClick={() => onOpen({ kind: "filters" })}
          className={filterCount > 0 ? "aspect-auto px-1.5" : ""}
        />
        <IconButton
          label="Recent decisions"
          icon={<History aria-hidden />}
          onClick={() => onOpen({ kind: "history" })}
        />
      </div>
    </div>
  );
}
