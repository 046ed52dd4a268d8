"use client";
import { History, Keyboard, ListFilter, Settings2 } from "lucide-react";
import { IconButton } from "#components/ui/icon-button.tsx";
import { buttonClass } from "#components/ui/button.tsx";
import * as words from "#components/words/desk.ts";
import { deckFilters, setFilters as chosen } from "#lib/desk/post-filters.ts";
import type { OutboxState } from "#lib/desk/outbox.ts";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { SaveState } from "./save-state.tsx";
import type { FilterControl } from "#components/post-filters/use-filters.ts";
import { ViewSwitch } from "#components/post-filters/view-switch.tsx";
import { LeftToReview } from "#components/post-filters/left-to-review.tsx";

export interface DeckBarProps {
  control: FilterControl;
  outbox: OutboxState;
  remaining: number | null;
  remainingIsMore: boolean;
  leasedToOthers: number;
  /** The cards of this desk. */
  cards: readonly { lease_expires_at: string }[];
  onOpen: (what: "filters" | "keys" | "settings" | "history") => void;
}

export function DeckBar({
  control,
  outbox,
  remaining,
  remainingIsMore,
  leasedToOthers,
  cards,
  onOpen,
}: DeckBarProps) {
  const count = chosen(deckFilters(control.filters)).length;
  const keys = useDeskKeyMap();
  return (
    <div className="flex h-control shrink-0 items-center gap-2 max-desk:h-12 max-desk:px-3 slim:relative slim:overflow-x-auto desk:gap-3">
      <h1 className="hidden-visually">{words.review.title}</h1>
      <ViewSwitch control={control} current="deck" />
      <p
        className="tabular ms-auto shrink-0 text-13 text-muted"
        data-left={remaining === null ? "" : remaining + leasedToOthers}
      >
        <LeftToReview
          count={remaining === null ? null : remaining + leasedToOthers}
          isMore={remainingIsMore}
          leasedToOthers={leasedToOthers}
          own={{ count: cards.length, until: cards.map((card) => card.lease_expires_at).sort()[0] ?? null }}
        />
      </p>
      <span aria-hidden className="h-4 w-px bg-line" />
      <SaveState state={outbox} />
      <span aria-hidden className="h-4 w-px bg-line max-desk:hidden" />
      <div className="flex items-center">
        <button
          type="button"
          className={buttonClass("ghost", "sm", "max-wide:px-2")}
          onClick={() => onOpen("filters")}
        >
          <ListFilter aria-hidden />
          <span className="max-wide:hidden-visually">{words.review.filters}</span>
          {count > 0 ? (
            <span
              className="tabular rounded-sm bg-accent-quiet px-1 text-12"
              title={words.review.filtersOn(count)}
            >
              {count}
            </span>
          ) : null}
        </button>
        <IconButton
          label={words.review.history}
          icon={<History aria-hidden />}
          onClick={() => onOpen("history")}
          className="aside:[@media(height>=43.75rem)]:hidden"
        />
        <IconButton
          label={words.review.keys}
          icon={<Keyboard aria-hidden />}
          {...(keys ? { kbd: keys.help } : {})}
          onClick={() => onOpen("keys")}
          className="max-desk:hidden"
        />
        <IconButton
          label={words.review.settings}
          icon={<Settings2 aria-hidden />}
          onClick={() => onOpen("settings")}
          className="max-desk:hidden"
        />
      </div>
    </div>
  );
}
