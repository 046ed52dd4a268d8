"use client";
import { useEffect, useRef } from "react";
import { isCovered, isTyping, readPress, type DeskKeys, type Press } from "#lib/client/desk/keys.ts";

function scrollOf(event: KeyboardEvent, height: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "ArrowDown") return 48;
  if (event.key === "ArrowUp") return -48;
  if (event.key === "PageDown" || (event.key === " " && !event.shiftKey)) return height * 0.85;
  if (event.key === "PageUp" || (event.key === " " && event.shiftKey)) return height * -0.85;
  return null;
}

/**
 * Ignored in text fields, with modifiers and under dialogs. Scroll keys scroll the card.
 *
 * @param keys null if single keys are off
 */
export function useDeskKeys(
  keys: DeskKeys | null,
  onPress: (press: Press, event: KeyboardEvent) => void,
  scroller: () => HTMLElement | null,
): void {
  const latest = useRef({ keys, onPress, scroller });
  useEffect(() => {
    latest.current = { keys, onPress, scroller };
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isCovered()) return;
      const { keys: map, onPress: act, scroller: find } = latest.current;
      const press = readPress(event, map);
      if (press) {
        event.preventDefault();
        act(press, event);
        return;
      }
      const card = event.target === document.body && !event.defaultPrevented ? find() : null;
      const by = card ? scrollOf(event, card.clientHeight) : null;
      if (!card || by === null) return;
      event.preventDefault();
      card.scrollBy({ top: by });
    };
    // No element of the desk is focused by default.
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
