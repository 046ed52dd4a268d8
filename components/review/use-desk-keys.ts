import { useEffect, useEffectEvent } from "react";
import type { KeySection } from "#components/shell/key-host.tsx";
import {
  actionWords,
  deskKeys,
  isDialogOpen,
  isTyping,
  keySign,
  readPress,
  type DeskKeys,
  type KeyAction,
  type Press,
} from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

/** Distance by key, as a part of the height. */
const scrollDistances: Record<string, number> = {
  ArrowDown: 0.1,
  ArrowUp: -0.1,
  PageDown: 0.85,
  PageUp: -0.85,
};

/**
 * Keys of the desk. Ignored in text fields, with modifiers and while a dialog is open. Scroll keys scroll the card.
 *
 * @param keys null if single keys are off
 */
export function useDeskKeys(
  keys: DeskKeys | null,
  onPress: (press: Press) => void,
  scroller: () => HTMLElement | null,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event.target) || isDialogOpen()) return;
    const press = readPress(event, keys);
    if (press) {
      event.preventDefault();
      return onPress(press);
    }
    const isFree = event.target === document.body && !event.defaultPrevented;
    const card = isFree && !event.ctrlKey && !event.metaKey && !event.altKey ? scroller() : null;
    const by = event.key === " " ? (event.shiftKey ? -0.85 : 0.85) : scrollDistances[event.key];
    if (!card || by === undefined) return;
    event.preventDefault();
    card.scrollBy({ top: card.clientHeight * by });
  });
  useEffect(() => {
    // On the window, because no element of the desk has the focus at first.
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

const groups = {
  Decide: ["approve", "reject", "skip", "undo", "note"],
  Look: ["enlarge", "reveal", "next_picture", "previous_picture", "open", "checks"],
  Author: ["author_posts", "block_author"],
} as const satisfies Record<string, readonly KeyAction[]>;

/** Keys of the desk for the key help. */
export function deskKeyHelp(reasons: readonly RejectReason[]): KeySection[] {
  const more: Record<string, KeySection["rows"]> = {
    Decide: [
      ["Undo", "Ctrl Z"],
      ["With the note: approve", "Ctrl Enter"],
      ["With the note: reject", "Ctrl Shift Enter"],
      ...reasons.map(({ label }, i) => [`Reject: ${label}`, String(i + 1)] as const),
    ],
    Look: [["In an enlarged picture: next, zoom, fit", "← → + − 0"]],
  };
  return Object.entries(groups).map(([title, actions]) => ({
    title,
    rows: [
      ...actions.map((action) => [actionWords[action], keySign(deskKeys[action])] as const),
      ...(more[title] ?? []),
    ],
  }));
}
