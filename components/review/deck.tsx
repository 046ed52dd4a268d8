"use client";
import { useEffect, useMemo, useRef, useState, type CSSProperties } from "react";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { reaches } from "#components/shell/roles.ts";
import { lazyWithRetry, LoadingNotice } from "#components/ui/lazy.tsx";
import { Notice } from "#components/ui/states.tsx";
import * as words from "#components/words/desk.ts";
import { deckFilters, deckQuery, setFilters as chosen } from "#lib/desk/filters.ts";
import { isUndoable } from "#lib/desk/history.ts";
import type { DeskPreferences } from "#lib/desk/preferences.ts";
import { useOutboxState } from "#lib/desk/use-outbox.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { RecentDecision } from "#lib/review/decision-schema.ts";
import { CardStack } from "./card-stack.tsx";
import { DeckBar } from "./deck-bar.tsx";
import { DeckMiddle } from "./deck-middle.tsx";
import { FirstHint } from "./first-hint.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import type { OpenDialog } from "./desk-dialogs.tsx";
import { FactBox } from "./fact-box.tsx";
import { DeckChips } from "./deck-chips.tsx";
import type { StreamChoice } from "#components/post-filters/filter-words.ts";
import { HistoryList } from "./history-list.tsx";
import { DeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { conflictText, moveOnText } from "./conflict-text.ts";
import { NoteField } from "./note-field.tsx";
import { useReasonsInUse } from "#components/shell/reasons-context.tsx";
import { QuickReasons } from "./quick-reasons.tsx";
import { OutboxNotice } from "./save-state.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useDeckActions } from "./use-deck-actions.ts";
import { useDeskUndo } from "./use-desk-undo.ts";
import { useDesk, useDeskState, type Desk } from "./use-desk.ts";
import { useDeskKeys } from "#components/desk-settings/use-desk-keys.ts";
import { useFilters } from "#components/post-filters/use-filters.ts";
import { useHint } from "./use-hint.ts";

const BreakReminder = lazyWithRetry(() =>
  import("./break-reminder.tsx").then((module) => module.BreakReminder),
);
const DeskDialogs = lazyWithRetry(
  () => import("./desk-dialogs.tsx").then((module) => module.DeskDialogs),
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
}

export function Deck({ preferences: stored, recent, streams }: DeckProps) {
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
  const [dialog, setDialog] = useState<OpenDialog | { kind: "filters" } | null>(null);
  const card = state.cards[0];
  const [checked, setChecked] = useState<DeckCard | null>(null);
  const [byAuthor, setByAuthor] = useState<DeckCard | null>(null);
  const reasons = useReasonsInUse();
  const actions = useDeckActions({
    desk,
    card,
    reasons,
    mayManage,
    cover: preferences.cover,
    onHelp: () => setDialog({ kind: "keys" }),
    onChecks: setChecked,
    onAuthorPosts: setByAuthor,
    onHashtags: (of) => setDialog({ kind: "hashtags", tags: of.hashtags, blocked: of.blocked_hashtags }),
  });
  const keys = preferences.keys_on ? preferences.keys : null;
  const frame = useRef<HTMLDivElement>(null);
  useDeskKeys(keys, actions.onKey, () => scrollerIn(frame.current));
  useDeskUndo(desk);
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
        className="-mx-4 -mt-4 -mb-10 flex h-[calc(100dvh-3.5rem-env(safe-area-inset-bottom))] gap-6 overflow-hidden [--side:max(14rem,calc(100dvh-27.75rem))] desk:-mx-2 desk:-my-3 desk:h-[calc(100dvh-1.5rem)] wide:-mx-5"
      >
        <div className="flex min-w-0 flex-1 flex-col gap-2 desk:gap-3">
          <DeckBar
            control={control}
            outbox={outbox}
            remaining={state.remaining}
            remainingIsMore={state.remaining_is_more}
            leasedToOthers={state.leased_to_others}
            cards={state.cards}
            onOpen={(kind) => setDialog({ kind })}
          />
          <div className="flex flex-col gap-2 empty:hidden max-desk:px-3">
            <OutboxNotice state={outbox} />
            {hint.show && keys ? <FirstHint keys={keys} onDismiss={hint.dismiss} /> : null}
            {preferences.break_minutes ? <BreakReminder minutes={preferences.break_minutes} /> : null}
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
          <DecisionBar
            disabled={!card}
            canUndo={state.history.some(isUndoable)}
            hasNote={actions.note.now.text.trim() !== ""}
            onAct={actions.act}
            onReasons={() => setDialog({ kind: "reasons" })}
          />
        </div>
        {/* Below the facts of the card, which reach into this column. */}
        <div className="relative hidden h-(--side) w-56 shrink-0 flex-col gap-5 self-end aside:flex">
          {reasons.length > 0 ? (
            <FactBox title={words.review.reason}>
              <QuickReasons
                reasons={reasons}
                disabled={!card}
                onReason={actions.rejectFor}
                className="-mx-1.5 flex flex-col"
              />
            </FactBox>
          ) : null}
          <section
            aria-label={words.review.history}
            className="flex min-h-0 flex-1 flex-col gap-1 [@media(height<43.75rem)]:hidden"
          >
            <h2 className="text-12 font-medium text-muted">{words.review.history}</h2>
            <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1" tabIndex={-1}>
              {desk ? <HistoryList entries={state.history} store={desk.store} /> : null}
            </div>
          </section>
        </div>
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
          onClose={() => setDialog(null)}
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
          history={state.history}
          store={desk.store}
        />
      ) : null}
      {checked ? (
        <CheckPanel
          post={state.cards.find(({ id }) => id === checked.id) ?? checked}
          onClose={() => setChecked(null)}
          onChecked={() => void desk?.store.refreshCard(checked.id)}
        />
      ) : null}
      {actions.blocking.question ? (
        <LazyReachDialog question={actions.blocking.question} onClose={actions.blocking.close} />
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

/** Polls while the deck is empty. Renews leases of a visible tab. */
function useLookingAfter(desk: Desk | null): void {
  useEffect(() => {
    if (!desk) return;
    const onVisible = () => {
      if (document.visibilityState === "visible") desk.store.renewLeases();
    };
    const timer = setInterval(() => {
      const { cards, incomplete_results } = desk.store.getState();
      if (document.visibilityState === "visible" && cards.length === 0 && !incomplete_results)
        desk.store.retry();
    }, LOOK_EVERY);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (desk.outbox.getState().at_risk) event.preventDefault();
    };
    document.addEventListener("visibilitychange", onVisible);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [desk]);
}

const LOOK_EVERY = 15_000;
