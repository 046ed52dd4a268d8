"use client";
import { useMemo, useRef } from "react";
import { DeskKeyMap } from "#components/shell/key-context.tsx";
import { FilterChips } from "#components/post-filters/filter-chips.tsx";
import type { FilterChoices } from "#components/post-filters/filter-words.ts";
import { useFilters } from "#components/post-filters/use-filters.ts";
import { useMember, useReasonsInUse } from "#components/shell/member-context.tsx";
import { usePageKeys } from "#components/shell/key-host.tsx";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { Notice } from "#components/ui/states.tsx";
import { isUndoable } from "#lib/client/desk/history.ts";
import { deskKeys, readPress, type KeyAction, type Press } from "#lib/client/desk/keys.ts";
import { deckFilters, deckQuery, setFilters as chosen } from "#lib/client/desk/post-filters.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { RecentDecision } from "#lib/review/decision-schema.ts";
import { CardStack } from "./card-stack.tsx";
import { conflictText, moveOnText } from "./conflict-text.ts";
import { DeckBar } from "./deck-bar.tsx";
import { DeckMiddle } from "./deck-middle.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { DeskRail } from "./desk-rail.tsx";
import { NoteField } from "./note-field.tsx";
import { OutboxNotice } from "./save-state.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useDeckActions } from "./use-deck-actions.ts";
import { deskKeyHelp, useDeskKeys } from "./use-desk-keys.ts";
import { useDesk } from "./use-desk.ts";

// Loaded when first shown.
const DeckBlock = lazyWithRetry(
  () => import("./deck-block.tsx").then((module) => module.DeckBlock),
  LoadingNotice,
);
const HistorySheet = lazyWithRetry(
  () => import("./desk-sheets.tsx").then((module) => module.HistorySheet),
  LoadingNotice,
);
const ReasonSheet = lazyWithRetry(
  () => import("./desk-sheets.tsx").then((module) => module.ReasonSheet),
  LoadingNotice,
);
const FilterSheet = lazyWithRetry(
  () => import("#components/post-filters/filter-sheet.tsx").then((module) => module.FilterSheet),
  LoadingNotice,
);
const CheckPanel = lazyWithRetry(
  () => import("#components/post/check-panel.tsx").then((module) => module.CheckPanel),
  LoadingNotice,
);
const Lightbox = lazyWithRetry(
  () => import("#components/post/lightbox.tsx").then((module) => module.Lightbox),
  LoadingNotice,
);

export interface DeckProps {
  preferences: DeskPreferences;
  recent: readonly RecentDecision[];
  choices: FilterChoices;
  /** The member's decisions of today, as in the statistics. */
  decidedToday: number;
}

export function Deck({ preferences, recent, choices, decidedToday }: DeckProps) {
  const member = useMember();
  const control = useFilters();
  const filters = deckFilters(control.filters);
  const query = useMemo(() => deckQuery(control.filters), [control.filters]);
  const { desk, state, outbox } = useDesk(member.id, recent, query);
  const announcement = useAnnouncements(state);
  const [card] = state.cards;
  const reasons = useReasonsInUse();
  const { cover } = preferences;
  const actions = useDeckActions(desk, card, reasons, cover);
  const { press, opened, open, close } = actions;
  const keys = preferences.keys_on ? deskKeys : null;
  const frame = useRef<HTMLDivElement>(null);
  useDeskKeys(keys, press, () => scrollerIn(frame.current));
  usePageKeys(() => deskKeyHelp(reasons));
  const canUndo = state.history.some(isUndoable);
  const onReason = (number: number) => press({ reason: number });
  const bar = { disabled: !card, canUndo, hasNote: actions.note.trim() !== "" };
  // Close the picture, because the next post is shown first as a whole.
  const pressInPicture = (pressed: Press) => {
    close();
    if (!("action" in pressed && pressed.action === "enlarge")) press(pressed);
  };
  const onPictureKey = (event: KeyboardEvent) => {
    const pressed = readPress(event, keys);
    if (!pressed || ("action" in pressed && !pictureKeys.has(pressed.action))) return;
    event.preventDefault();
    pressInPicture(pressed);
  };
  return (
    <DeskKeyMap value={keys}>
      <div
        ref={frame}
        data-deck=""
        onPointerDown={() => desk?.store.renewLeases()}
        className="-mx-4 -mt-4 -mb-10 flex h-[calc(100dvh-3.5rem-env(safe-area-inset-bottom))] flex-col gap-2 overflow-hidden [--facts:15.75rem] desk:-mx-2 desk:-my-3 desk:h-[calc(100dvh-1.5rem)] desk:gap-3 wide:-mx-5"
      >
        <DeckBar
          control={control}
          outbox={outbox}
          state={state}
          decidedToday={decidedToday}
          saved={choices.saved}
          onOpen={open}
        />
        <div className="flex flex-col gap-2 empty:hidden max-desk:px-3">
          <OutboxNotice state={outbox} />
          <FilterChips filters={filters} setFilters={control.setFilters} choices={choices} />
          {state.conflict ? (
            <Notice tone="warn">
              {conflictText(state.conflict)} {moveOnText(state.conflict)}
            </Notice>
          ) : null}
        </div>
        <div className="relative min-h-0 flex-1 max-desk:mx-3">
          {card ? (
            <CardStack
              state={state}
              cover={cover}
              revealed={actions.revealed}
              currentMedium={actions.currentMedium}
              note={actions.noteOpen ? "" : actions.note.trim()}
              onPress={press}
            />
          ) : (
            <DeckMiddle
              state={state}
              filtered={chosen(filters).length > 0}
              control={control}
              onRetry={() => desk?.store.retry()}
            />
          )}
          <DeskRail
            state={state}
            store={desk?.store ?? null}
            reasons={reasons}
            disabled={!card}
            onReason={onReason}
          />
          <div role="status" className="absolute inset-x-5 bottom-2 z-10 wide:me-62">
            {actions.hint === "" ? null : (
              <p className="rounded-md border border-line bg-raised px-3 py-2 text-13 font-medium">
                {actions.hint}
              </p>
            )}
          </div>
        </div>
        {actions.noteOpen && card ? (
          <NoteField
            note={actions.note}
            onChange={actions.setNote}
            onClose={actions.closeNote}
            onPress={press}
          />
        ) : null}
        <DecisionBar {...bar} onPress={press} onReasons={() => open({ kind: "reasons" })} />
        <p
          role="status"
          aria-live={announcement.urgent ? "assertive" : "polite"}
          className="hidden-visually"
          data-said={announcement.id}
        >
          {/* Screen readers do not repeat an equal text; the space makes it differ. */}
          {announcement.text}
          {announcement.id % 2 === 0 ? "" : "\u00a0"}
        </p>
      </div>
      {opened?.kind === "filters" ? (
        <FilterSheet
          filters={filters}
          choices={choices}
          place="review"
          onApply={control.setFilters}
          onClose={close}
        />
      ) : null}
      {opened?.kind === "reasons" ? (
        <ReasonSheet reasons={reasons} onReason={onReason} onClose={close} />
      ) : null}
      {opened?.kind === "checks" ? (
        <CheckPanel
          post={state.cards.find(({ id }) => id === opened.card.id) ?? opened.card}
          onClose={close}
        />
      ) : null}
      {opened?.kind === "history" && desk ? (
        <HistorySheet history={state.history} store={desk.store} onClose={close} />
      ) : null}
      {opened?.kind === "block" && desk ? (
        <DeckBlock account={opened.card.author_account} store={desk.store} onClose={close} />
      ) : null}
      {opened?.kind === "picture" ? (
        <Lightbox
          post={opened.card}
          index={opened.index}
          onIndex={(index) => open({ ...opened, index })}
          onClose={close}
          onKey={onPictureKey}
        >
          <div className="shrink-0 border-t border-line py-2 desk:px-3 *:me-0!">
            <DecisionBar {...bar} onPress={pressInPicture} onReasons={() => open({ kind: "reasons" })} />
          </div>
        </Lightbox>
      ) : null}
    </DeskKeyMap>
  );
}

const pictureKeys: ReadonlySet<KeyAction> = new Set(["approve", "reject", "undo", "skip", "enlarge"]);

/** The scrolling element: the article, or on narrow screens the whole card. */
function scrollerIn(frame: HTMLElement | null): HTMLElement | null {
  const top = frame?.querySelector<HTMLElement>('[data-place="top"]') ?? null;
  if (!top || top.scrollHeight > top.clientHeight) return top;
  return top.querySelector("article");
}
