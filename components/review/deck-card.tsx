"use client";
import { Check, Files, MessageSquareText, X } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { AuthorHistory } from "#components/post/author-history.tsx";
import { CheckResult } from "#components/post/check-result.tsx";
import { coverOf } from "#components/post/covered.ts";
import { PostCard } from "#components/post/post-card.tsx";
import { ConsentList, SeenAtSource } from "#components/post/post-facts.tsx";
import { StandsOut } from "#components/post/stands-out.tsx";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { lazyWithRetry } from "#components/ui/lazy.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { DecisionKind } from "#lib/client/desk/history.ts";
import { keySign } from "#lib/client/desk/keys.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { wantsNoMotion } from "#lib/client/motion.ts";
import type { DeckCard as Card } from "#lib/review/deck-schema.ts";
import { AuthorActions, HashtagAction, type CardAction } from "./author-actions.tsx";
import { FactBox } from "./fact-box.tsx";
import type { SeenAnswer } from "./use-seen-before.ts";
import { useSwipe } from "./use-swipe.ts";

const SeenBox = lazyWithRetry(() => import("./seen-box.tsx").then((module) => module.SeenBox));

export interface DeckCardProps {
  card: Card;
  /** `next` is drawn hidden, so that it appears with the key press. */
  place: "top" | "next" | "leaving";
  leftBy?: DecisionKind | null;
  onLeft?: () => void;
  cover: Cover;
  revealed: boolean;
  currentMedium: number | null;
  /** "" for none. */
  note: string;
  /** Undefined until known. */
  seen?: SeenAnswer | undefined;
  store: DeskStore | null;
  onSay?: ((text: string) => void) | undefined;
  onReveal: (id: number) => void;
  onOpenMedia: (card: Card, index: number) => void;
  onSwipe: (verb: "approve" | "reject", at: number) => void;
  onCardAct: (act: CardAction, card: Card) => void;
  onChecks: (card: Card) => void;
  onAuthorPosts: (card: Card) => void;
}

export const DeckCard = memo(function DeckCard({
  card,
  place,
  leftBy = null,
  onLeft,
  cover,
  revealed,
  currentMedium,
  note,
  seen,
  store,
  onSay,
  onReveal,
  onOpenMedia,
  onSwipe,
  onCardAct,
  onChecks,
  onAuthorPosts,
}: DeckCardProps) {
  const frame = useRef<HTMLDivElement>(null);
  useLeaving(frame, place === "leaving" ? leftBy : null, onLeft);
  const { swipe, handlers } = useSwipe(
    (side, at) => onSwipe(side === "right" ? "approve" : "reject", at),
    place === "top",
  );
  const seenBefore = (spot: "side" | "under") =>
    seen && seen.items.length > 0 ? (
      <SeenBox
        place={spot}
        post={card}
        items={seen.items}
        cover={coverOf(card, cover)}
        revealed={revealed}
        onReveal={() => onReveal(card.id)}
        store={store}
        onSay={spot === "side" ? onSay : undefined}
      />
    ) : null;
  return (
    <div
      ref={frame}
      data-card={card.id}
      data-place={place}
      inert={place !== "top"}
      aria-hidden={place === "top" ? undefined : true}
      className={cn(
        "absolute inset-0 flex touch-pan-y flex-col overflow-y-auto overscroll-contain wide:grid wide:grid-cols-[minmax(0,1fr)_14rem] wide:gap-5 wide:overflow-visible aside:gap-6",
        "max-wide:rounded-lg max-wide:border max-wide:border-line max-wide:bg-surface",
        place === "next" && "invisible",
        place === "leaving" && "pointer-events-none",
      )}
      style={
        swipe.dx === 0
          ? undefined
          : { transform: `translateX(${swipe.dx}px) rotate(${(swipe.dx / 60).toFixed(2)}deg)` }
      }
      {...handlers}
    >
      {swipe.dx === 0 ? null : (
        <SwipeSign right={swipe.dx > 0} progress={swipe.progress} armed={swipe.armed} />
      )}
      <article
        tabIndex={0}
        aria-label={`Post by ${card.author_display_name ?? card.author_account}`}
        className="relative rounded-lg p-4 focus-visible:-outline-offset-2 desk:p-5 wide:overflow-y-auto wide:border wide:border-line wide:bg-surface beside:[container-type:size]"
      >
        <PostCard
          post={card}
          edit={card.edit}
          cover={cover}
          revealed={revealed}
          onReveal={() => onReveal(card.id)}
          onOpenMedia={(index) => onOpenMedia(card, index)}
          currentMedium={currentMedium}
          underAuthor={
            <>
              <StandsOut
                post={card}
                onChecks={() => onChecks(card)}
                className="flex flex-wrap items-center gap-1 wide:hidden"
              />
              {note === "" ? null : <CardNote text={note} />}
            </>
          }
          underMedia={seenBefore("under")}
          hashtagAction={<HashtagAction card={card} onAct={onCardAct} />}
          beside
          eager
        >
          <FactBox title="Consent">
            <ConsentList consent={card.consent} />
            <SeenAtSource post={card} />
          </FactBox>
        </PostCard>
      </article>
      {/* The author's buttons keep their place above the reasons; what is long above them scrolls. */}
      <aside className="flex flex-col gap-4 max-wide:border-t max-wide:border-line max-wide:p-4 max-wide:desk:p-5 wide:overflow-y-auto wide:pt-1 aside:[container-type:size] aside:h-[calc(100%+2.5rem+var(--note,0rem)-var(--side))]">
        {/* A copy comes first: on low screens there is room for little more. */}
        <div className="flex flex-col gap-3 wide:min-h-14 wide:flex-1 wide:overflow-y-auto">
          {seenBefore("side")}
          <FactBox title="Checks">
            <CheckResult post={card} onOpen={() => onChecks(card)} />
          </FactBox>
        </div>
        <FactBox title="Author's record">
          <AuthorHistory history={card.author_history} blocked={card.author_blocked}>
            <div className="flex flex-wrap gap-1.5">
              <AuthorActions card={card} onAct={onCardAct} />
              <MoreByAuthor card={card} onOpen={onAuthorPosts} />
            </div>
          </AuthorHistory>
        </FactBox>
      </aside>
    </div>
  );
});

function CardNote({ text }: { text: string }) {
  return (
    <p data-note className="flex items-start gap-2 rounded-md bg-accent-quiet px-3 py-2 text-14">
      <MessageSquareText aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="hidden-visually">Note: </span>
      <bdi className="min-w-0 whitespace-pre-line wrap-anywhere">{text}</bdi>
    </p>
  );
}

function MoreByAuthor({ card, onOpen }: { card: Card; onOpen: (card: Card) => void }) {
  const keys = useDeskKeyMap();
  if (card.author_waiting === 0) return null;
  return (
    <Button
      size="sm"
      className="self-start"
      icon={<Files aria-hidden />}
      aria-haspopup="dialog"
      {...(keys ? { kbd: keySign(keys.author_posts) } : {})}
      onClick={() => onOpen(card)}
    >
      {card.author_waiting}
      {card.author_waiting >= 100 ? "+" : ""} more by this author
    </Button>
  );
}

/** 160 ms; not with reduced motion. */
function useLeaving(
  frame: React.RefObject<HTMLDivElement | null>,
  leftBy: DecisionKind | null,
  onLeft: (() => void) | undefined,
): void {
  useEffect(() => {
    const element = frame.current;
    if (leftBy === null || !element) return;
    const still = wantsNoMotion();
    const away =
      leftBy === "skip"
        ? "translateY(-24px)"
        : `translateX(${leftBy === "approve" ? 96 : -96}px) rotate(${leftBy === "approve" ? 1 : -1}deg)`;
    const animation = element.animate([{ opacity: 1 }, { transform: away, opacity: 0 }], {
      duration: still ? 0 : 160,
      easing: "ease-out",
      fill: "forwards",
    });
    animation.onfinish = () => onLeft?.();
    return () => animation.cancel();
  }, [frame, leftBy, onLeft]);
}

function SwipeSign({ right, progress, armed }: { right: boolean; progress: number; armed: boolean }) {
  const Icon = right ? Check : X;
  return (
    <div
      aria-hidden
      className={cn(
        "pointer-events-none absolute top-6 z-10 flex items-center gap-2 rounded-md border-2 px-3 py-1.5 text-16 font-semibold",
        right ? "left-4 border-approve" : "right-4 border-reject",
        armed
          ? right
            ? "bg-approve text-on-approve"
            : "bg-reject text-on-reject"
          : right
            ? "bg-surface text-approve"
            : "bg-surface text-reject",
      )}
      style={{ opacity: 0.3 + progress * 0.7 }}
    >
      <Icon className="size-5" strokeWidth={2.5} />
      {right ? "Approve" : "Reject"}
    </div>
  );
}
