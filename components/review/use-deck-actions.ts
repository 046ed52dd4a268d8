import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { coverOf } from "#components/post/covered.ts";
import type { Cover } from "#components/ui/media-thumb.tsx";
import type { DecisionKind } from "#lib/client/desk/history.ts";
import type { KeyAction, Press } from "#lib/client/desk/keys.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import type { Desk } from "./use-desk.ts";

/** The panel or dialog over the desk. */
export type Opened =
  | { kind: "filters" | "history" | "reasons" }
  | { kind: "checks" | "block"; card: DeckCard }
  | { kind: "picture"; card: DeckCard; index: number };

/** @param medium the picture to enlarge */
export type OnPress = (press: Press, medium?: number) => void;

interface Draft {
  id: number;
  note: string;
  noteOpen: boolean;
  medium: number | null;
  /** Why the last action did nothing. */
  hint: string;
}

/** Actions of keys, buttons and swipes at the desk, with the state they change. */
export function useDeckActions(
  desk: Desk | null,
  card: DeckCard | undefined,
  reasons: readonly RejectReason[],
  cover: Cover,
) {
  const router = useRouter();
  const [revealed, setRevealed] = useState<ReadonlySet<number>>(new Set());
  const [opened, open] = useState<Opened | null>(null);
  const [kept, setKept] = useState<Draft | null>(null);
  const draftOf = (now: Draft | null): Draft =>
    now && now.id === card?.id
      ? now
      : { id: card?.id ?? 0, note: card?.reviewer_notes ?? "", noteOpen: false, medium: null, hint: "" };
  const draft = draftOf(kept);
  const keep = (change: Partial<Draft>) => setKept((now) => ({ ...draftOf(now), ...change }));

  const reveal = (id: number) =>
    setRevealed((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const isCovered = (of: DeckCard) => coverOf(of, cover) !== "off" && !revealed.has(of.id);

  const decide = (verb: DecisionKind, reason?: RejectReason) => {
    if (!desk || !card) return;
    // Nothing is approved unseen.
    if (verb === "approve" && isCovered(card)) {
      setRevealed((before) => new Set(before).add(card.id));
      return keep({ hint: "Uncovered: look at it, then approve again" });
    }
    const note = draft.note.trim();
    desk.store.decide(verb, {
      ...(reason ? { reason: reason.label, reject_reason: reason.id } : {}),
      ...(note === (card.reviewer_notes ?? "").trim() ? {} : { note }),
    });
    // Else an undo would open it again, and it would take the next keys.
    if (draft.noteOpen) keep({ noteOpen: false });
  };

  const walk = (by: number) => {
    const count = card?.media_attachments.length ?? 0;
    if (count === 0) return;
    const medium = draft.medium === null ? (by > 0 ? 0 : count - 1) : (draft.medium + by + count) % count;
    keep({ medium });
    document
      .querySelector(`[data-place="top"] [data-medium="${medium}"]`)
      ?.scrollIntoView({ block: "nearest" });
  };

  const act = (action: KeyAction, of: DeckCard, medium = draft.medium ?? 0): void => {
    switch (action) {
      case "approve":
      case "reject":
      case "skip":
        return decide(action);
      case "undo":
        return desk?.store.undo();
      case "note":
        return keep({ noteOpen: true });
      case "open":
        window.open(of.url ?? of.post_id, "_blank", "noopener,noreferrer");
        return;
      case "enlarge":
        if (of.media_attachments.length === 0) return;
        if (isCovered(of)) return keep({ hint: "Show the covered media first" });
        return open({ kind: "picture", card: of, index: medium });
      case "reveal":
        return reveal(of.id);
      case "next_picture":
        return walk(1);
      case "previous_picture":
        return walk(-1);
      case "checks":
        return open({ kind: "checks", card: of });
      case "author_posts":
        if (of.author_waiting === 0) return keep({ hint: "No other posts by this author are waiting" });
        return router.push(withQuery("/review", { view: "grid", author: of.author_account }));
      case "block_author":
        return open({ kind: "block", card: of });
    }
  };

  const latest = useRef<OnPress>(() => undefined);
  useEffect(() => {
    latest.current = (press, medium) => {
      desk?.store.renewLeases();
      if (draft.hint !== "") keep({ hint: "" });
      if ("reason" in press) {
        const reason = reasons[press.reason - 1];
        if (reason !== undefined) decide("reject", reason);
      } else if (card) act(press.action, card, medium);
      else if (press.action === "undo") desk?.store.undo();
    };
  });
  return {
    /** A stable function, so that cards do not render again. */
    press: useCallback<OnPress>((press, medium) => latest.current(press, medium), []),
    opened,
    open,
    close: useCallback(() => open(null), []),
    revealed,
    currentMedium: draft.medium,
    hint: draft.hint,
    note: draft.note,
    noteOpen: draft.noteOpen,
    setNote: (note: string) => keep({ note }),
    closeNote: () => keep({ noteOpen: false }),
  };
}
