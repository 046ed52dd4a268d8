"use client";
import { useEffect, useRef, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { SeenItem } from "#lib/desk/seen-before.ts";
import type { SeenBefore } from "#lib/media/seen-schema.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";

/** What is known of a card's pictures. */
export interface SeenAnswer {
  items: readonly SeenItem[];
  /** The card was on top already when this became known. */
  late: boolean;
  /** Asked while the card was on top. */
  onTop: boolean;
}

export type SeenAnswers = ReadonlyMap<number, SeenAnswer>;

const none: SeenAnswers = new Map();
/** Milliseconds: cards that are passed by quickly are not asked about, and nothing lies on the way to the next card. */
const PAUSE = 150;
/** Answers kept, for cards that an undo brings back. */
const KEPT = 50;

/**
 * Where the pictures of the first two cards were seen before. One request at a time, since an answer may take as long
 * as fetching a picture; it is dropped with its card. The next card is asked about ahead, and once more on top if there
 * was something: its original may have been decided meanwhile. A failure shows nothing.
 */
export function useSeenBefore(cards: readonly DeckCard[]): SeenAnswers {
  const [answers, setAnswers] = useState(none);
  const [top] = cards;
  const wanted = cards.slice(0, 2).find((card) => {
    if (card.media_attachments.every(({ type }) => type === "audio")) return false;
    const known = answers.get(card.id);
    return !known || (card === top && known.items.length > 0 && !known.onTop);
  })?.id;
  const isAgain = wanted !== undefined && answers.has(wanted);
  const topId = useRef<number>(undefined);
  useEffect(() => {
    topId.current = top?.id;
  });

  // The card on top comes before the next one, and a request that was made for the next one goes on with it on top.
  useEffect(() => {
    if (wanted === undefined) return;
    const stop = new AbortController();
    const ask = async () => {
      const onTop = topId.current === wanted;
      const { items } = await apiFetch<SeenBefore>(`/posts/${wanted}/seen-before`, {
        signal: stop.signal,
      }).catch(() => ({ items: null }));
      if (stop.signal.aborted) return;
      setAnswers((before) => {
        const known = before.get(wanted);
        const late = known?.late ?? topId.current === wanted;
        const rest = [...before].filter(([id]) => id !== wanted).slice(1 - KEPT);
        return new Map([...rest, [wanted, { items: items ?? known?.items ?? [], late, onTop }]]);
      });
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted, isAgain]);
  return answers;
}
