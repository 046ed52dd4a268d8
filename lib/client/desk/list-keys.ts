import { keyName, type KeyPress } from "./keys.ts";

export type Move = "up" | "down" | "left" | "right" | "next" | "previous" | "first" | "last";

export type ListPress =
  /** `extend`: selects from the last selected post to the new one. */
  { move: Move; extend: boolean } | { act: "select" | "select_range" | "open_page" };

const arrows: Record<string, Move> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
};

/**
 * Reads a key press in a list. Lists come before the keys of the desk.
 *
 * @param letters whether single letters are on
 * @param place what has the focus: a post of the list, nothing (`page`: J, K and arrows enter the list), or another
 *   control (only J and K work)
 */
export function readListPress(
  event: KeyPress,
  letters: boolean,
  place: "post" | "page" | "control",
): ListPress | null {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return null;
  const key = keyName(event);
  const extend = event.shiftKey;
  if (letters && (key === "j" || key === "k")) return { move: key === "j" ? "next" : "previous", extend };
  const move = arrows[key];
  if (move && (place === "post" || (place === "page" && !extend && key.startsWith("Arrow"))))
    return { move, extend };
  if (place !== "post") return null;
  if (event.repeat) return null;
  if (key === " " || (letters && key === "x")) return { act: extend ? "select_range" : "select" };
  return key === "Enter" && !extend ? { act: "open_page" } : null;
}

export interface Shape {
  count: number;
  columns: number;
  /** Right-to-left: the left arrow moves to the next post. */
  rtl: boolean;
}

/** The position after a move, or the same one at an edge. */
export function positionAfter(move: Move, at: number, { count, columns, rtl }: Shape): number {
  const steps: Record<Exclude<Move, "first" | "last">, number> = {
    up: -columns,
    down: columns,
    left: rtl ? 1 : -1,
    right: rtl ? -1 : 1,
    next: 1,
    previous: -1,
  };
  if (move === "first") return 0;
  if (move === "last") return Math.max(0, count - 1);
  const to = at + steps[move];
  if (to >= 0 && to < count) return to;
  // The last row may be short.
  const rowsBelow = Math.floor((count - 1) / columns) > Math.floor(at / columns);
  return move === "down" && rowsBelow ? count - 1 : at;
}
