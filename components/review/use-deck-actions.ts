"use client";
import { useCallback, useState } from "react";
import { authorTarget } from "#components/blocking/author-target.ts";
import type { BlockTarget } from "#components/blocking/reach-question.ts";
import { coverOf } from "#components/post/covered.ts";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { notifyAboutCard } from "#components/ui/toast.tsx";
import type { DecisionKind } from "#lib/client/desk/history.ts";
import type { KeyAction, Press } from "#lib/client/desk/keys.ts";
import {
  MAX_NOTE,
  noteOf,
  withDiscarded,
  withRestored,
  withSaved,
  type NoteKey,
  type NoteText,
} from "#lib/client/desk/note.ts";
import { markDecision } from "#lib/client/desk/performance-marks.ts";
import { wantsNoMotion } from "#lib/client/motion.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import type { CardAction } from "./author-actions.tsx";
import { useCardMarks } from "./use-card-marks.ts";
import { undoLatest } from "./use-desk-undo.ts";
import type { Desk } from "./use-desk.ts";

export interface DeckActionsOptions {
  desk: Desk | null;
  card: DeckCard | undefined;
  reasons: readonly RejectReason[];
  mayManage: boolean;
  cover: Cover;
  onHelp: () => void;
  onOrder: () => void;
  onSaved: (index: number) => void;
  onHashtags: (card: DeckCard) => void;
  onChecks: (card: DeckCard) => void;
  onAuthorPosts: (card: DeckCard) => void;
}

interface Draft {
  id: number;
  note: NoteText;
  noteOpen: boolean;
  medium: number | null;
}

export function useDeckActions({
  desk,
  card,
  reasons,
  mayManage,
  cover,
  onHelp,
  onOrder,
  onSaved,
  onHashtags,
  onChecks,
  onAuthorPosts,
}: DeckActionsOptions) {
  const marks = useCardMarks(desk);
  const [revealed, setRevealed] = useState<ReadonlySet<number>>(new Set());
  const [picture, setPicture] = useState<{ card: DeckCard; index: number } | null>(null);
  const [kept, setKept] = useState<Draft | null>(null);
  const [blocked, setBlocked] = useState<BlockTarget | null>(null);
  // One at a time.
  const block = (target: BlockTarget) => setBlocked((now) => now ?? target);
  const blockHashtag = (tag: string) => block({ kind: "hashtag", body: { hashtag: tag }, name: `#${tag}` });
  const draft: Draft =
    kept && kept.id === card?.id
      ? kept
      : { id: card?.id ?? 0, note: noteOf(card?.reviewer_notes ?? null), noteOpen: false, medium: null };
  const keep = (change: Partial<Draft>) => setKept({ ...draft, ...change });

  const reveal = useCallback(
    (id: number) =>
      setRevealed((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );

  const isCovered = (of: DeckCard) => coverOf(of, cover) !== "off" && !revealed.has(of.id);
  const decide = (verb: DecisionKind, at: number, reason?: RejectReason) => {
    if (!desk || !card) return;
    if ([...draft.note.text].length > MAX_NOTE) return keep({ noteOpen: true });
    // No picture is approved unseen, here as in the lists.
    if (verb === "approve" && isCovered(card)) {
      reveal(card.id);
      return notifyAboutCard("Uncovered: look at it, then approve again");
    }
    markDecision(at);
    const note = draft.note.text.trim();
    const why = reason && { reason: reason.label, reject_reason: reason.id };
    desk.store.decide(verb, { ...why, note: note === (card.reviewer_notes ?? "").trim() ? null : note });
    desk.store.renewLeases();
  };

  const walk = (by: number) => {
    const count = card?.media_attachments.length ?? 0;
    if (count === 0) return;
    const medium = draft.medium === null ? (by > 0 ? 0 : count - 1) : (draft.medium + by + count) % count;
    keep({ medium });
    document
      .querySelector(`[data-place="top"] [data-medium="${medium}"]`)
      ?.scrollIntoView({ block: "nearest", behavior: wantsNoMotion() ? "instant" : "smooth" });
  };

  const onCardAct = (act: CardAction, of: DeckCard) => {
    if (act === "block") return block({ ...authorTarget(of.author_account, mayManage), scope: "account" });
    if (!mayManage) return;
    if (act === "hashtag") {
      const [only, ...more] = of.hashtags.filter((tag) => !of.blocked_hashtags.includes(tag));
      if (only !== undefined && more.length === 0) blockHashtag(only);
      else if (only !== undefined) onHashtags(of);
    } else if (act === "domain") block({ ...authorTarget(of.author_account, true), scope: "domain" });
  };

  const restoreNote = (): boolean => {
    const note = card ? withRestored(draft.note) : null;
    if (note) keep({ note, noteOpen: true });
    return note !== null;
  };

  const onNoteKey = (key: NoteKey, at: number) => {
    if (key === "restore") restoreNote();
    else if (key === "discard") keep({ note: withDiscarded(draft.note), noteOpen: false });
    else if (key === "approve" || key === "reject") decide(key, at);
    else if ([...draft.note.text].length <= MAX_NOTE) keep({ note: withSaved(draft.note), noteOpen: false });
  };

  const act = (action: KeyAction, at: number): void => {
    if (action === "help") return onHelp();
    if (action === "undo") return desk ? undoLatest(desk.store) : undefined;
    if (action === "order") return onOrder();
    if (!card) return;
    switch (action) {
      case "approve":
      case "reject":
      case "skip":
        return decide(action, at);
      case "note":
        return keep({ noteOpen: true });
      case "open":
        window.open(card.url ?? card.post_id, "_blank", "noopener,noreferrer");
        return;
      case "enlarge":
        if (card.media_attachments.length === 0) return;
        // Covered media opens only after it is revealed.
        if (isCovered(card)) return notifyAboutCard("Show the covered media first");
        return setPicture({ card, index: draft.medium ?? 0 });
      case "reveal":
        return reveal(card.id);
      case "next_picture":
        return walk(1);
      case "previous_picture":
        return walk(-1);
      case "checks":
        return onChecks(card);
      case "author_posts":
        if (card.author_waiting === 0) return notifyAboutCard("No other posts by this author are waiting");
        return onAuthorPosts(card);
      case "block_author":
        return onCardAct("block", card);
      case "block_hashtag":
        return onCardAct("hashtag", card);
    }
  };

  const press = (press: Press, at: number) => {
    desk?.store.renewLeases();
    if ("action" in press) return act(press.action, at);
    if ("saved" in press) return onSaved(press.saved - 1);
    const reason = reasons[press.reason - 1];
    if (reason !== undefined) decide("reject", at, reason);
  };

  return {
    act,
    press,
    onKey: (pressed: Press, event: KeyboardEvent) => {
      // Ctrl-Z first restores a lost note; the key of undo does not.
      const isCtrlZ = "action" in pressed && pressed.action === "undo" && (event.ctrlKey || event.metaKey);
      if (!isCtrlZ || !restoreNote()) press(pressed, event.timeStamp);
    },
    /** The block that is asked or under way. */
    blocked,
    endBlock: useCallback(() => setBlocked(null), []),
    marks,
    rejectFor: (reason: RejectReason, at: number) => decide("reject", at, reason),
    swipe: (verb: "approve" | "reject", at: number) => decide(verb, at),
    onCardAct,
    blockHashtag,
    note: {
      now: draft.note,
      open: draft.noteOpen,
      set: (text: string) => keep({ note: { ...draft.note, text } }),
      onKey: onNoteKey,
    },
    currentMedium: draft.medium,
    revealed,
    reveal,
    picture,
    openPicture: useCallback((of: DeckCard, index: number) => setPicture({ card: of, index }), []),
    walkPicture: useCallback((index: number) => setPicture((now) => (now ? { ...now, index } : now)), []),
    closePicture: useCallback(() => setPicture(null), []),
  };
}
