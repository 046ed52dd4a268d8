"use client";
import { useCallback, useMemo, useRef, useState, type CSSProperties } from "react";
import { DeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { useDeskKeys } from "#components/desk-settings/use-desk-keys.ts";
import type { StreamChoice } from "#components/post-filters/filter-words.ts";
import { useFilters } from "#components/post-filters/use-filters.ts";
import { useMember } from "#components/shell/member-context.tsx";
import { useReasonsInUse } from "#components/shell/reasons-context.tsx";
import { reaches } from "#components/shell/roles.ts";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { Notice } from "#components/ui/states.tsx";
import { isUndoable } from "#lib/client/desk/history.ts";
import { deskKeys } from "#lib/client/desk/keys.ts";
import { nextMode } from "#lib/client/desk/modes.ts";
import { deckFilters, deckQuery, setFilters as chosen } from "#lib/client/desk/post-filters.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { SavedFilter } from "#lib/client/desk/saved-filters.ts";
import { useOutboxState } from "#lib/client/desk/use-outbox.ts";
import type { RecentDecision } from "#lib/review/decision-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { CardStack } from "./card-stack.tsx";
import { DeskMessage, useDeskMessage } from "./desk-message.tsx";
import { DeckBar } from "./deck-bar.tsx";
import { DeckMiddle } from "./deck-middle.tsx";
import { FirstHint } from "./first-hint.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import type { OpenDialog } from "./desk-dialogs.tsx";
import { DeskRail } from "./desk-rail.tsx";
import { DeckChips } from "./deck-chips.tsx";
import { conflictText, moveOnText } from "./conflict-text.ts";
import { NoteField } from "./note-field.tsx";
import { OutboxNotice } from "./save-state.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useDeckActions } from "./use-deck-actions.ts";
import { useDeskOffer } from "./use-desk-offer.ts";
import { useDesk, useDeskState } from "./use-desk.ts";
import { useLookingAfter } from "./use-looking-after.ts";
import { useSavedFilters } from "./use-saved-filters.ts";
import { useHint } from "./use-hint.ts";

const DeckBlock = lazyWithRetry(
  () => import("./deck-block.tsx").then((module) => module.DeckBlock),
  ({ onClose }) => <LoadingNotice onClose={onClose} />,
);
const DeskDialogs = lazyWithRetry(
  () => import("./desk-dialogs.tsx").then((module) => module.DeskDialogs),
  LoadingNotice,
);
const FilterSheet = lazyWithRetry(
  () => import("#components/post-filters/filter-sheet.tsx").then((module) => module.FilterSheet),
  LoadingNotice,
);
const DeskChecks = lazyWithRetry(
  () => import("./desk-checks.tsx").then((module) => module.DeskChecks),
  LoadingNotice,
);
const PictureView = lazyWithRetry(
  () => import("./picture-view.tsx").then((module) => module.PictureView),
  LoadingNotice,
);
const AuthorPosts = lazyWithRetry(
  () => import("./author-posts.tsx").then((module) => module.AuthorPosts),
  LoadingNotice,
);

export interface DeckProps {
  preferences: DeskPreferences;
  recent: readonly RecentDecision[];
  streams: readonly StreamChoice[];
  savedFilters: readonly SavedFilter[];
  /** Own decisions of the day, in UTC as in the statistics. */
  decidedToday: number;
}

export function Deck({ preferences: stored, recent, streams, savedFilters, decidedToday }: DeckProps) {
  const member = useMember();
  const mayManage = reaches(member.role, "admin");
  const [preferences, setPreferences] = useState(stored);
  const control = useFilters();
  const query = useMemo(() => deckQuery(control.filters), [control.filters]);
  const desk = useDesk(member.id, recent, query);
  const state = useDeskState(desk);
  const hint = useHint(preferences, desk);
  const outbox = useOutboxState(desk?.outbox ?? null);
  const said = useAnnouncements(desk);
  const card = state.cards[0];
  const { message, dismiss } = useDeskMessage(card?.id);
  const [dialog, setDialog] = useState<OpenDialog | { kind: "filters" } | null>(null);
  const [checked, setChecked] = useState<DeckCard | null>(null);
  const closeChecks = useCallback(() => setChecked(null), []);
  const [byAuthor, setByAuthor] = useState<DeckCard | null>(null);
  const reasons = useReasonsInUse();
  const { saved, pick: pickSaved, reload: reloadSaved } = useSavedFilters(savedFilters, control);
  const actions = useDeckActions({
    desk,
    card,
    reasons,
    mayManage,
    cover: preferences.cover,
    onOrder: () => control.setFilters(nextMode(control.filters)),
    onSaved: pickSaved,
    onHelp: () => setDialog({ kind: "keys" }),
    onChecks: setChecked,
    onAuthorPosts: setByAuthor,
    onHashtags: (of) => setDialog({ kind: "hashtags", tags: of.hashtags, blocked: of.blocked_hashtags }),
  });
  const keys = preferences.keys_on ? deskKeys : null;
  const frame = useRef<HTMLDivElement>(null);
  useDeskKeys(keys, actions.onKey, () => scrollerIn(frame.current));
  useDeskOffer(card, mayManage, actions.act, actions.onCardAct);
  useLookingAfter(desk);

  const topConflict = card && state.topConflict?.post_id === card.id ? state.topConflict : null;
  return (
    <DeskKeyMap value={keys}>
      <div
        ref={frame}
        data-deck=""
        onPointerDown={() => desk?.store.renewLeases()}
        // The facts of the card keep their height while the note is open.
        style={actions.note.open ? ({ "--note": "6.2rem" } as CSSProperties) : undefined}
        className="-mx-4 -mt-4 -mb-10 flex h-[calc(100dvh-3.5rem-env(safe-area-inset-bottom))] gap-6 overflow-hidden [--side:max(14rem,min(calc(50dvh),calc(100dvh-25rem)))] desk:-mx-2 desk:-my-3 desk:h-[calc(100dvh-1.5rem)] wide:-mx-5"
      >
        <div className="flex min-w-0 flex-1 flex-col gap-2 desk:gap-3">
          <DeckBar
            control={control}
            outbox={outbox}
            state={state}
            decidedToday={decidedToday}
            saved={saved}
            onSaved={pickSaved}
            onOpen={(kind) => setDialog({ kind })}
          />
          <div className="flex flex-col gap-2 empty:hidden max-desk:px-3">
            <OutboxNotice state={outbox} />
            {hint.show && keys ? <FirstHint keys={keys} onDismiss={hint.dismiss} /> : null}
            <DeckChips control={control} streams={streams} />
            {topConflict ? (
              <Notice tone="warn">
                {conflictText(topConflict.conflict)} {moveOnText(topConflict.conflict)}
              </Notice>
            ) : null}
          </div>
          {card ? (
            <CardStack
              state={state}
              store={desk?.store ?? null}
              cover={preferences.cover}
              revealed={actions.revealed}
              currentMedium={actions.currentMedium}
              onReveal={actions.reveal}
              onOpenMedia={actions.openPicture}
              onSwipe={actions.swipe}
              onCardAct={actions.onCardAct}
              onChecks={setChecked}
              onAuthorPosts={setByAuthor}
              note={actions.note.open ? "" : actions.note.now.text.trim()}
            />
          ) : (
            <DeckMiddle
              state={state}
              filtered={chosen(deckFilters(control.filters)).length > 0}
              control={control}
              onClear={() => control.setFilters({})}
              onRetry={() => desk?.store.retry()}
            />
          )}
          {actions.note.open && card ? (
            <NoteField note={actions.note.now} onChange={actions.note.set} onKey={actions.note.onKey} />
          ) : null}
          <DeskMessage
            message={message}
            onDismiss={dismiss}
            className="shrink-0 has-[>div:empty]:-mb-2 max-desk:mx-3 desk:has-[>div:empty]:-mb-3 aside:[@media(height>=62.5rem)]:hidden"
          />
          <DecisionBar
            disabled={!card}
            canUndo={state.history.some(isUndoable)}
            hasNote={actions.note.now.text.trim() !== ""}
            onAct={actions.act}
            onReasons={() => setDialog({ kind: "reasons" })}
          />
        </div>
        <DeskRail
          state={state}
          store={desk?.store ?? null}
          reasons={reasons}
          disabled={!card}
          onReason={actions.rejectFor}
          message={message}
          onDismiss={dismiss}
        />
        <p
          role="status"
          aria-live={said.urgent ? "assertive" : "polite"}
          className="hidden-visually"
          data-said={said.id}
        >
          {/* Equal texts are not announced twice; the space makes them differ. */}
          {said.text}
          {said.id % 2 === 0 ? "" : "\u00a0"}
        </p>
      </div>
      {dialog?.kind === "filters" ? (
        <FilterSheet
          filters={deckFilters(control.filters)}
          streams={streams}
          defaultOrder="oldest"
          onApply={control.setFilters}
          onClose={() => {
            setDialog(null);
            reloadSaved();
          }}
        />
      ) : dialog && desk ? (
        <DeskDialogs
          open={dialog}
          onClose={() => setDialog(null)}
          preferences={preferences}
          onPreferences={setPreferences}
          mayManage={mayManage}
          reasons={reasons}
          onReason={actions.rejectFor}
          onBlockHashtag={actions.blockHashtag}
          state={state}
          store={desk.store}
        />
      ) : null}
      {checked ? (
        <DeskChecks
          post={state.cards.find(({ id }) => id === checked.id) ?? checked}
          onPress={actions.press}
          onClose={closeChecks}
          onChecked={() => void desk?.store.refreshCard(checked.id)}
        />
      ) : null}
      {actions.blocked && desk ? (
        <DeckBlock target={actions.blocked} desk={desk} marks={actions.marks} onClose={actions.endBlock} />
      ) : null}
      {byAuthor && desk ? (
        <AuthorPosts
          card={byAuthor}
          desk={desk}
          cover={preferences.cover}
          onChecks={setChecked}
          onClose={() => setByAuthor(null)}
        />
      ) : null}
      {actions.picture ? (
        <PictureView
          canUndo={state.history.some(isUndoable)}
          onPress={actions.press}
          postId={actions.picture.card.id}
          original={actions.picture.card.url ?? actions.picture.card.post_id}
          media={actions.picture.card.media_attachments}
          index={actions.picture.index}
          onIndex={actions.walkPicture}
          onClose={actions.closePicture}
        />
      ) : null}
    </DeskKeyMap>
  );
}

/** The article, or on narrow screens the whole card. */
function scrollerIn(frame: HTMLElement | null): HTMLElement | null {
  const top = frame?.querySelector<HTMLElement>('[data-place="top"]') ?? null;
  if (!top || top.scrollHeight > top.clientHeight) return top;
  return top.querySelector("article");
}
