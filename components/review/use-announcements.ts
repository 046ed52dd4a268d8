import { plural } from "#components/format.ts";
import { decisionNames } from "#components/words.ts";
import { useEffect, useRef, useState } from "react";
import { isNoteworthy, resultText } from "#components/post/check-result.tsx";
import { readConsent } from "#components/post/read-consent.ts";
import { isOftenRejected } from "#components/post/stands-out.tsx";
import { notifyFailed, notifyInfo } from "#components/ui/toast.tsx";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { type DeskEvent, type DeskState } from "#lib/client/desk/desk.ts";
import { snippetOf } from "#lib/client/desk/history.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { conflictText, moveOnText } from "./conflict-text.ts";

export interface Announcement {
  /** Incremented for each announcement. */
  id: number;
  text: string;
  /** Interrupts the screen reader, because an action had no effect. */
  urgent: boolean;
}

/** Screen-reader text for the last event and the card on top. Conflicts are also shown as toasts. */
export function useAnnouncements({ event, cards, remaining, incomplete_results }: DeskState): Announcement {
  const [announcement, setAnnouncement] = useState<Announcement>({ id: 0, text: "", urgent: false });
  const [top] = cards;
  const shown = { event, topId: top?.id };
  const before = useRef(shown);
  const isAtEnd = remaining === 0 && !incomplete_results;
  useEffect(() => {
    const isNews = event !== null && event !== before.current.event;
    const isNext = top !== undefined && top.id !== before.current.topId;
    before.current = { event, topId: top?.id };
    if (!isNews && !isNext) return;
    if (isNews) show(event);
    const text = isNews ? textOf(event, top ?? (isAtEnd ? null : undefined)) : nextWords(top);
    const urgent = isNews && /conflict|refused|lost/.test(event.kind);
    setAnnouncement(({ id }) => ({ id: id + 1, text, urgent }));
  }, [event, top, isAtEnd]);
  return announcement;
}

/** @param top null if no card is left; undefined if the page shows why there is none */
function textOf(event: DeskEvent, top: DeckCard | null | undefined): string {
  switch (event.kind) {
    case "decided":
      return `${[decisionNames[event.entry.decision], event.entry.reason].filter(Boolean).join(": ")}. ${nextWords(top)}`;
    case "undone":
      return `Undone. ${nextWords(top)}`;
    case "undo_refused":
      return `Too late to undo: ${conflictText(event.conflict)}`;
    case "conflict":
      return `Your decision was not saved: ${event.entry.author}. ${conflictText(event.entry.conflict)}`;
    case "card_lost":
      return `${conflictText(event.conflict)} ${moveOnText(event.conflict)}`;
    case "card_edited":
      return `This is the new version, with what changed. ${nextWords(top)}`;
    case "nothing_to_undo":
      return "Nothing to undo";
  }
}

const MAX_TEXT_CHARS = 600;
const MAX_DESCRIPTION_CHARS = 200;

function nextWords(card: DeckCard | null | undefined): string {
  if (!card) return card === null ? "No more posts." : "";
  const { media_attachments: media, author_history: history } = card;
  const descriptions = media.map(({ description }) =>
    (description ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_CHARS),
  );
  const extra = [
    ...(media.length > 0
      ? [
          `${plural(descriptions.length, "attachment", "attachments")}: ${descriptions
            .map((text) => (text === "" ? "no description" : text))
            .join("; ")}`,
        ]
      : []),
    ...(card.sensitive && card.spoiler_text === null ? ["Marked sensitive"] : []),
    ...(card.poll ? ["Poll"] : []),
    ...(card.edit ? ["Edited"] : []),
    ...(card.author_blocked ? ["Author blocked"] : []),
    ...card.blocked_hashtags.map((tag) => `#${tag.replace(/^#/, "")} blocked`),
    ...(isOftenRejected(history) ? [`${history.rejected} rejected`] : []),
    ...(isNoteworthy(card) ? [resultText(card)] : []),
    ...(card.pictures_waiting ? ["Pictures are still to be checked"] : []),
    ...readConsent(card.consent).flatMap(({ tone, text }) => (tone === "reject" ? [text] : [])),
  ].join(", ");
  const name = card.author_display_name ?? card.author_account;
  const warning = card.spoiler_text === null ? "" : `Content warning: ${card.spoiler_text}. `;
  const text = `${warning}${snippetOf(card.content, MAX_TEXT_CHARS)}`;
  return `Next: ${name}${text === "" ? "" : `: ${text}`}.${extra === "" ? "" : ` ${extra}.`}`;
}

function show(event: DeskEvent): void {
  if (event.kind === "undo_refused") {
    notifyFailed("Too late to undo", withDetail(conflictText(event.conflict)));
  } else if (event.kind === "conflict") {
    notifyFailed(
      `Your decision was not saved: ${event.entry.author}`,
      withDetail(conflictText(event.entry.conflict)),
    );
  } else if (event.kind === "nothing_to_undo") {
    notifyInfo("Nothing to undo");
  }
}

function withDetail(detail: string): ApiFailure {
  return new ApiFailure({ status: 409, detail });
}
