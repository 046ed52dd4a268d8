import { useEffect, useRef } from "react";
import type { KeySection } from "#components/shell/key-host.tsx";
import {
  actionWords,
  deskKeys,
  isCovered,
  isTyping,
  keySign,
  readPress,
  type DeskKeys,
  type KeyAction,
  type Press,
} from "#lib/client/desk/keys.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";

/** Of the key, as a part of the height. */
const scrolls: Record<string, number> = { ArrowDown: 0.1, ArrowUp: -0.1, PageDown: 0.85, PageUp: -0.85 };

/**
 * Ignored in text fields, with modifiers and under dialogs. Scroll keys scroll the card.
 *
 * @param keys null if single keys are off
 */
export function useDeskKeys(
  keys: DeskKeys | null,
  onPress: (press: Press) => void,
  scroller: () => HTMLElement | null,
): void {
  const latest = useRef({ keys, onPress, scroller });
  useEffect(() => {
    latest.current = { keys, onPress, scroller };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isCovered()) return;
      const press = readPress(event, latest.current.keys);
      if (press) {
        event.preventDefault();
        return latest.current.onPress(press);
      }
      const isFree = event.target === document.body && !event.defaultPrevented;
      const card =
        isFree && !event.ctrlKey && !event.metaKey && !event.altKey ? latest.current.scroller() : null;
      const by = event.key === " " ? (event.shiftKey ? -0.85 : 0.85) : scrolls[event.key];
      if (!card || by === undefined) return;
      event.preventDefault();
      card.scrollBy({ top: card.clientHeight * by });
    };
    // No element of the desk is focused by default.
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

const groups = {
  Decide: ["approve", "reject", "skip", "undo", "note"],
  Look: ["enlarge", "reveal", "next_picture", "previous_picture", "open", "checks"],
  Author: ["author_posts", "block_author"],
} as const satisfies Record<string, readonly KeyAction[]>;

/** For the list of keys. */
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
