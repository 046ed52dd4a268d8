"use client";
import { formatCount } from "#components/format.ts";
import { History, Keyboard, ListFilter, Settings2 } from "lucide-react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { LeftToReview } from "#components/post-filters/left-to-review.tsx";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { ViewSwitch } from "#components/post-filters/view-switch.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import type { OutboxState } from "#lib/client/desk/outbox.ts";
import { deckFilters, setFilters as chosen } from "#lib/client/desk/post-filters.ts";
import type { SavedFilter } from "#lib/client/desk/saved-filters.ts";
import type { DeskState } from "#lib/client/desk/state.ts";
import { DeckModes } from "./deck-modes.tsx";
import { SaveState } from "./save-state.tsx";

const SavedFilterBar = lazyWithRetry(() =>
  import("./saved-filter-bar.tsx").then((module) => module.SavedFilterBar),
);

export interface DeckBarProps {
  control: FilterControl;
  outbox: OutboxState;
  state: DeskState;
  /** Before the desk was loaded. */
  decidedToday: number;
  saved: readonly SavedFilter[];
  onSaved: (index: number) => void;
  onOpen: (what: "filters" | "keys" | "settings" | "history") => void;
}

export function DeckBar({ control, outbox, state, decidedToday, saved, onSaved, onOpen }: DeckBarProps) {
  const filterCount = chosen(deckFilters(control.filters)).length;
  const keys = useDeskKeyMap();
  const { cards, remaining, leased_to_others: leasedToOthers } = state;
  const all = remaining === null ? null : remaining + leasedToOthers;
  return (
    <div className="flex h-control shrink-0 items-center gap-2 max-desk:h-12 max-desk:px-3 slim:relative slim:overflow-x-auto aside:-me-62">
      <h1 className="hidden-visually">Review</h1>
      <ViewSwitch control={control} current="deck" />
      <DeckModes control={control} />
      {saved.length > 0 ? <SavedFilterBar saved={saved} control={control} onPick={onSaved} /> : null}
      <p className="tabular ms-auto shrink-0 text-13 text-muted" data-left={all ?? ""}>
        <LeftToReview
          count={all}
          isMore={state.remaining_is_more}
          leasedToOthers={leasedToOthers}
          own={{ count: cards.length, until: cards.map((card) => card.lease_expires_at).sort()[0] ?? null }}
        />
        <span className="max-wide:hidden-visually">
          {" · "}
          {`${formatCount(Math.max(0, decidedToday + state.decided))} decided today`}
        </span>
      </p>
      <SaveState state={outbox} />
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
          onClick={() => onOpen("filters")}
          className={filterCount > 0 ? "aspect-auto px-1.5" : ""}
        />
        <IconButton
          label="Recent decisions"
          icon={<History aria-hidden />}
          onClick={() => onOpen("history")}
          className="aside:[@media(height>=43.75rem)]:hidden"
        />
        <IconButton
          label="Keys"
          icon={<Keyboard aria-hidden />}
          {...(keys ? { kbd: keys.help } : {})}
          onClick={() => onOpen("keys")}
          className="max-desk:hidden"
        />
        <IconButton
          label="Desk settings"
          icon={<Settings2 aria-hidden />}
          onClick={() => onOpen("settings")}
          className="max-desk:hidden"
        />
      </div>
    </div>
  );
}
