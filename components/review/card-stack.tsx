import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from "react";
import { seenState } from "#components/post/compare-pictures.tsx";
import { mediaSource, sizeOnCard, type Cover } from "#components/ui/media-thumb.tsx";
import { stateLabels } from "#components/words.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskState } from "#lib/client/desk/desk.ts";
import { byPost, withOwnDecision, type SeenItem } from "#lib/client/desk/seen-before.ts";
import type { DeckCard as Card } from "#lib/review/deck-schema.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";
import { DeckCard, type DeckCardProps } from "./deck-card.tsx";

export interface CardStackProps extends Pick<DeckCardProps, "cover" | "currentMedium" | "note" | "onPress"> {
  state: DeskState;
  revealed: ReadonlySet<number>;
}

const nothingSeen: readonly SeenItem[] = [];

/** The card on top, the next one (hidden), and the decided one that is animated out. */
export function CardStack({ state, revealed, currentMedium, note, ...rest }: CardStackProps) {
  const [top, next] = state.cards;
  // Deferred, so that the key press is not delayed.
  const second = useDeferredValue(next);
  const [gone, setGone] = useState<DeskState["leaving"]>(null);
  const { leaving: last } = state;
  const leaving = last !== gone && last?.card.id !== top?.id ? last : null;
  const onLeft = useCallback(() => setGone(last), [last]);
  const stack = useRef<HTMLDivElement>(null);
  const topId = top?.id ?? null;

  useLayoutEffect(() => {
    // Move the focus only if it was in the old card.
    const active = document.activeElement;
    if (active === document.body || !stack.current?.contains(active) || active?.closest('[data-place="top"]'))
      return;
    stack.current.querySelector<HTMLElement>('[data-place="top"] article')?.focus({ preventScroll: true });
  }, [topId]);

  usePreloadedPictures(state.cards, rest.cover);
  const answers = useSeenBefore(state.cards);
  const seenOf = ({ id }: Card) => {
    const items = answers.get(id) ?? nothingSeen;
    return items.length === 0 ? nothingSeen : items.map((item) => withOwnDecision(item, state.history));
  };

  const shown: { card: Card; place: DeckCardProps["place"] }[] = [];
  if (second && second.id !== topId && second.id !== leaving?.card.id)
    shown.push({ card: second, place: "next" });
  if (top) shown.push({ card: top, place: "top" });
  if (leaving) shown.push({ card: leaving.card, place: leaving.decision });
  return (
    <div ref={stack}>
      {shown.map(({ card, place }) => (
        <DeckCard
          key={card.id}
          card={card}
          place={place}
          onLeft={onLeft}
          revealed={revealed.has(card.id)}
          currentMedium={place === "top" ? currentMedium : null}
          note={place === "top" ? note : ""}
          seen={seenOf(card)}
          {...rest}
        />
      ))}
      {/* A separate live region, because the announcement of the card would delay it. */}
      <p role="status" className="hidden-visually" data-said-seen>
        {(top ? byPost(seenOf(top)) : [])
          .map(
            ([item]) =>
              `Picture seen before, in a post by ${item.author_account}: ${stateLabels[seenState(item)].toLowerCase()}.`,
          )
          .join(" ")}
      </p>
    </div>
  );
}

/** Cards whose first picture is loaded ahead. */
const MAX_PRELOADED = 10;

/** Loads the first picture of the next cards in the size of the card, so that a revealed picture appears at once. */
function usePreloadedPictures(cards: readonly Card[], cover: Cover): void {
  const kept = useRef(new Map<number, HTMLImageElement>());
  useEffect(() => {
    const images = kept.current;
    const wanted = cards.slice(0, MAX_PRELOADED);
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

const none: ReadonlyMap<number, readonly SeenItem[]> = new Map();
/** A card that is decided faster causes no request. */
const PAUSE_MS = 150;
/** Answers kept for cards that an undo brings back. */
const MAX_ANSWERS = 50;

/** Finds earlier posts with the pictures of the first two cards. One request at a time, because an answer may wait for a download. */
function useSeenBefore(cards: readonly Card[]): ReadonlyMap<number, readonly SeenItem[]> {
  const [answers, setAnswers] = useState(none);
  const wanted = cards
    .slice(0, 2)
    .find(
      ({ id, media_attachments: media }) => !answers.has(id) && media.some(({ type }) => type !== "audio"),
    )?.id;
  useEffect(() => {
    if (wanted === undefined) return;
    const stop = new AbortController();
    const ask = async () => {
      const post = await apiFetch<ShownPost>(`/posts/${wanted}`, { signal: stop.signal }).catch(() => null);
      if (!stop.signal.aborted)
        setAnswers((before) =>
          new Map([...before].slice(1 - MAX_ANSWERS)).set(wanted, post?.seen_before ?? []),
        );
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted]);
  return answers;
}
