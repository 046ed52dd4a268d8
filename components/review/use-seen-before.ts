"use client";
import { useEffect, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { ShownPost } from "#lib/review/shown-post-schema.ts";

const none: ReadonlyMap<number, readonly SeenItem[]> = new Map();
/** Cards decided quickly cause no request. */
const PAUSE_MS = 150;
/** For cards that an undo brings back. */
const KEPT = 50;

/** For the first two cards. One request at a time, because an answer may wait for a picture download. */
export function useSeenBefore(cards: readonly DeckCard[]): ReadonlyMap<number, readonly SeenItem[]> {
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
        setAnswers((before) => new Map([...before].slice(1 - KEPT)).set(wanted, post?.seen_before ?? []));
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted]);
  return answers;
}
