"use client";
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from "react";
import { mediaSource, sizeOnCard, type Cover } from "#components/ui/media-thumb.tsx";
import { measureNextCard } from "#lib/client/desk/performance-marks.ts";
import type { DeskState } from "#lib/client/desk/state.ts";
import type { DeckCard as Card } from "#lib/review/deck-schema.ts";
import { useSeenBefore } from "./use-seen-before.ts";
import { DeckCard, type DeckCardProps } from "./deck-card.tsx";

export interface CardStackProps extends Pick<
  DeckCardProps,
  "cover" | "store" | "onReveal" | "onOpenMedia" | "onSwipe" | "onCardAct" | "onChecks" | "onAuthorPosts"
> {
  state: DeskState;
  revealed: ReadonlySet<number>;
  currentMedium: number | null;
  /** Saved for the card on top; "" for none. */
  note: string;
}

/** The next card is drawn hidden; the last one is animated out. */
export function CardStack({ state, revealed, currentMedium, note, ...rest }: CardStackProps) {
  const [top, next] = state.cards;
  // Deferred, so that the key press is not delayed.
  const second = useDeferredValue(next);
  const [gone, setGone] = useState<DeskState["lastDecided"]>(null);
  const leaving =
    state.lastDecided !== null && state.lastDecided !== gone && state.lastDecided.card.id !== top?.id
      ? state.lastDecided
      : null;
  const stack = useRef<HTMLDivElement>(null);
  const topId = top?.id ?? null;
  const before = useRef(topId);

  useLayoutEffect(() => {
    if (before.current === topId) return;
    before.current = topId;
    measureNextCard();
    // Only when the focus was in the old card.
    const active = document.activeElement;
    if (active === document.body || !stack.current?.contains(active)) return;
    stack.current.querySelector<HTMLElement>('[data-place="top"] article')?.focus({ preventScroll: true });
  }, [topId]);

  usePicturesAhead(state.cards, rest.cover);
  const seen = useSeenBefore(state.cards);
  const [said, setSaid] = useState("");
  const { lastDecided: left } = state;
  const onLeft = useCallback(() => setGone(left), [left]);

  const shown: { card: Card; place: DeckCardProps["place"] }[] = [];
  if (second && second.id !== topId && second.id !== leaving?.card.id)
    shown.push({ card: second, place: "next" });
  if (top) shown.push({ card: top, place: "top" });
  if (leaving) shown.push({ card: leaving.card, place: "leaving" });
  return (
    <div ref={stack} className="relative min-h-0 flex-1 max-desk:mx-3 aside:-me-62">
      {shown.map(({ card, place }) => (
        <DeckCard
          key={card.id}
          card={card}
          place={place}
          leftBy={place === "leaving" ? (left?.decision ?? null) : null}
          {...(place === "leaving" ? { onLeft } : {})}
          revealed={revealed.has(card.id)}
          currentMedium={place === "top" ? currentMedium : null}
          note={place === "top" ? note : ""}
          seen={seen.get(card.id)}
          {...(place === "top" ? { onSay: setSaid } : {})}
          {...rest}
        />
      ))}
      {/* Polite messages would wait for those that announce the card. */}
      <p role="status" className="hidden-visually" data-said-seen>
        {said}
      </p>
    </div>
  );
}

const AHEAD = 10;

/** Covered pictures only when shown blurred. */
function usePicturesAhead(cards: readonly Card[], cover: Cover): void {
  const kept = useRef(new Map<number, HTMLImageElement>());
  useEffect(() => {
    const images = kept.current;
    const wanted = cards.slice(0, AHEAD);
    for (const id of images.keys()) if (!wanted.some((card) => card.id === id)) images.delete(id);
    for (const card of wanted) {
      const [medium] = card.media_attachments;
      if (!medium || medium.type === "audio" || images.has(card.id)) continue;
      if (cover === "grey" && card.media_covered) continue;
      const image = new Image();
      image.src = mediaSource(card.id, 0, sizeOnCard(card.media_attachments.length));
      images.set(card.id, image);
    }
  }, [cards, cover]);
}
