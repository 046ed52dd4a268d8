"use client";
import { useEffect, useRef } from "react";
import { isCovered, isTyping, readPress, type DeskKeys, type Press } from "#lib/client/desk/keys.ts";
import { readListPress, type ListPress } from "#lib/client/desk/list-keys.ts";
import type { PostFocus } from "./use-post-focus.ts";

export interface ListKeys {
  /** Null if single keys are off. Arrows, Space and Enter always work. */
  keys: DeskKeys | null;
  focus: PostFocus;
  onList: (press: ListPress) => void;
  /** @returns false to leave the key to others */
  onDesk: (press: Press) => boolean;
}

/** Keys of the list come before those of the desk, because J, K and X may be keys of the desk, too. */
export function useListKeys(options: ListKeys): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target) || isCovered()) return;
      const { keys, focus, onList, onDesk } = latest.current;
      const isFree = event.target === document.body;
      const place = focus.focused() !== null ? "post" : isFree ? "page" : "control";
      const press = readListPress(event, keys !== null, place);
      if (press && !isForControl(event)) {
        event.preventDefault();
        onList(press);
        return;
      }
      const desk = readPress(event, keys);
      if (desk && onDesk(desk)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** A link or button in a post keeps Space and Enter. */
function isForControl({ key, target }: KeyboardEvent): boolean {
  const isStop = target instanceof HTMLElement && target.dataset.stop !== undefined;
  return (key === " " || key === "Enter") && !isStop;
}
