"use client";
import { useEffect, useRef, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";

export interface SeenAnswer {
  items: readonly SeenItem[];
  onTop: boolean;
}

export type SeenAnswers = ReadonlyMap<number, SeenAnswer>;

const none: SeenAnswers = new Map();
/** Cards decided quickly cause no request. */
const PAUSE_MS = 150;
/** For cards that an undo brings back. */
const KEPT = 50;

/**
 * For the first two cards. One request at a time, because an answer may wait for a picture download. A
 * card with copies is requested again on top, because their state may have changed.
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

  useEffect(() => {
    if (wanted === undefined) return;
    const stop = new AbortController();
    const ask = async () => {
      const onTop = topId.current === wanted;
      const items = await apiFetch<ShownPost>(`/posts/${wanted}`, { signal: stop.signal }).then(
        ({ seen_before }) => seen_before,
        () => null,
      );
      if (stop.signal.aborted) return;
      setAnswers((before) => {
        const known = before.get(wanted);
        const rest = [...before].filter(([id]) => id !== wanted).slice(1 - KEPT);
        return new Map([...rest, [wanted, { items: items ?? known?.items ?? [], onTop }]]);
      });
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted, isAgain]);
  return answers;
}
