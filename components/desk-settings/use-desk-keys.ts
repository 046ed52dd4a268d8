"use client";
import { useEffect, useRef } from "react";
import { isCovered, isTyping, readPress, type KeyMap, type Press } from "#lib/desk/keys.ts";

/** How far an arrow and a page key move the card, in pixels; null: not a key that scrolls. */
function scrollOf(event: KeyboardEvent, height: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.key === "ArrowDown") return 48;
  if (event.key === "ArrowUp") return -48;
  if (event.key === "PageDown" || (event.key === " " && !event.shiftKey)) return height * 0.85;
  if (event.key === "PageUp" || (event.key === " " && event.shiftKey)) return height * -0.85;
  return null;
}

/**
 * The desk's keys, for as long as it is on the screen: never in a text field, with a modifier, or under a window.
 * Keys that scroll move the card when nothing else has the focus: the page itself does not scroll.
 *
 * @param keys null: single keys are switched off
 */
export function useDeskKeys(
  keys: KeyMap | null,
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
    // On the window and not on an element: the desk has no focus of its own to lose.
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
