"use client";
import { useEffect, useState } from "react";
import { readConsent } from "#components/post/read-consent.ts";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import * as words from "#components/words/desk.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { snippetOf } from "#lib/desk/history.ts";
import type { DeskEvent } from "#lib/desk/state.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { conflictText } from "./conflict-text.ts";
import type { Desk } from "./use-desk.ts";

export interface Announcement {
  /** Counts up, so that the same words twice are said twice. */
  id: number;
  text: string;
  /** Cannot wait for the end of a sentence: something the reviewer did was not counted. */
  urgent: boolean;
}

/** What the desk says to screen readers, and shows as a toast where something stood in the way. */
export function useAnnouncements(desk: Desk | null): Announcement {
  const [said, setSaid] = useState<Announcement>({ id: 0, text: "", urgent: false });
  useEffect(() => {
    if (!desk) return;
    return desk.store.onEvent((news) => {
      const { cards, search_after } = desk.store.getState();
      const text = textOf(news, cards[0] ?? (search_after === null ? null : undefined));
      show(news);
      setSaid(({ id }) => ({
        id: id + 1,
        text,
        urgent: news.kind === "met" || news.kind === "undo_refused" || news.kind === "lost",
      }));
    });
  }, [desk]);
  return said;
}

/** @param top the next card, null when there is none, undefined when the search for one has stopped: the page says so */
function textOf(news: DeskEvent, top: DeckCard | null | undefined): string {
  switch (news.kind) {
    case "decided":
      return `${words.review.announceDecided(news.entry.decision, news.entry.reason)} ${nextWords(top)}`;
    case "undone":
      return `${words.review.announceUndone} ${nextWords(top)}`;
    case "undo_refused":
      return `${words.review.undoRefused}: ${conflictText(news.loss)}`;
    case "met":
      return `${words.review.met}: ${news.entry.author}. ${conflictText(news.entry.conflict)}`;
    case "lost":
      return `${conflictText(news.loss)} ${words.review.lostMoveOn}`;
    case "nothing_to_undo":
      return words.review.nothingToUndo;
  }
}

/** The next card in a breath: who, the first words, media, and whatever else is seen at a glance. */
function nextWords(card: DeckCard | null | undefined): string {
  if (!card) return card === null ? words.review.announceEmpty : "";
  const { media_attachments: media } = card;
  const bare = media.filter((medium) => !medium.description?.trim()).length;
  const extra = [
    ...(media.length > 0 ? [words.post.pictures(media.length)] : []),
    ...(bare > 0 ? [words.post.undescribed(bare)] : []),
    ...(card.poll ? [words.post.poll] : []),
    ...(card.edit ? [words.post.edited] : []),
    ...(card.author_blocked ? [words.post.authorIsBlocked] : []),
    ...(card.ai_would_reject ? [words.post.aiReject] : []),
    ...readConsent(card.consent).flatMap(({ tone, text }) => (tone === "reject" ? [text] : [])),
  ].join(", ");
  const name = card.author_display_name ?? card.author_account;
  const warning = card.spoiler_text === null ? "" : `${words.post.contentWarning}: ${card.spoiler_text}. `;
  return words.review.announceNext(name, `${warning}${snippetOf(card.content)}`, extra);
}

function show(news: DeskEvent): void {
  if (news.kind === "undo_refused") {
    notifyFailed(words.review.undoRefused, withDetail(conflictText(news.loss)));
  } else if (news.kind === "met") {
    notifyFailed(`${words.review.met}: ${news.entry.author}`, withDetail(conflictText(news.entry.conflict)));
  } else if (news.kind === "nothing_to_undo") {
    notifyInfo(words.review.nothingToUndo);
  }
}

function withDetail(detail: string): ApiFailure {
  return new ApiFailure({ status: 409, detail });
}
