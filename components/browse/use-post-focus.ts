"use client";
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from "react";
import { positionAfter, type Move } from "#lib/client/desk/list-keys.ts";

export interface PostFocus {
  /** The one post in the order of Tab. */
  stop: number | null;
  /** Tab stop after the first focus; null before. */
  last: number | null;
  setStop: (id: number) => void;
  focus: (id: number) => void;
  /** The post of the list that has the focus. */
  focused: () => number | null;
  /** Moves the focus, from outside to the stop. Returns the post, or null in an empty list. */
  move: (move: Move) => number | null;
}

/** Roving tabindex over elements with `data-stop`, which may contain other controls. */
export function usePostFocus(ids: readonly number[], rootRef: RefObject<HTMLElement | null>): PostFocus {
  const [chosen, setChosen] = useState<{ id: number; at: number } | null>(null);
  const [known, setKnown] = useState(ids);
  if (known !== ids) {
    setKnown(ids);
    if (chosen !== null && ids.includes(chosen.id)) setChosen({ id: chosen.id, at: ids.indexOf(chosen.id) });
  }
  // When the post leaves the list, its successor takes the place.
  const stop =
    chosen !== null && ids.includes(chosen.id)
      ? chosen.id
      : (ids[Math.min(chosen?.at ?? 0, ids.length - 1)] ?? null);
  const latest = useRef({ ids, stop });
  useEffect(() => {
    latest.current = { ids, stop };
  });

  const elementOf = useCallback(
    (id: number) => rootRef.current?.querySelector<HTMLElement>(`[data-stop="${id}"]`) ?? null,
    [rootRef],
  );
  const focused = useCallback(() => {
    const element = document.activeElement?.closest<HTMLElement>("[data-stop]");
    return element && rootRef.current?.contains(element) ? Number(element.dataset.stop) : null;
  }, [rootRef]);
  const setStop = useCallback((id: number) => {
    setChosen((before) => (before?.id === id ? before : { id, at: latest.current.ids.indexOf(id) }));
  }, []);
  const focus = useCallback((id: number) => elementOf(id)?.focus(), [elementOf]);

  const move = useCallback(
    (wanted: Move): number | null => {
      const { ids: all, stop: current } = latest.current;
      const from = focused();
      if (from === null) {
        if (current !== null) focus(current);
        return current;
      }
      const shape = { count: all.length, columns: columnsOf(all, elementOf), rtl: isRtl(rootRef.current) };
      const to = all[positionAfter(wanted, all.indexOf(from), shape)] ?? null;
      if (to !== null) focus(to);
      return to;
    },
    [elementOf, focus, focused, rootRef],
  );

  useFocusKept(rootRef, ids, stop, focus);
  const last = chosen === null ? null : stop;
  return useMemo(
    () => ({ stop, last, setStop, focus, focused, move }),
    [stop, last, setStop, focus, focused, move],
  );
}

export function isRtl(element: HTMLElement | null): boolean {
  return element !== null && getComputedStyle(element).direction === "rtl";
}

function columnsOf(ids: readonly number[], elementOf: (id: number) => HTMLElement | null): number {
  const top = (id: number | undefined) =>
    id === undefined ? null : elementOf(id)?.getBoundingClientRect().top;
  const first = top(ids[0]);
  const next = ids.findIndex((id) => top(id) !== first);
  return next > 0 ? next : Math.max(1, ids.length);
}

/** Moves focus to the tab stop when the focused element was removed with its post. */
function useFocusKept(
  rootRef: RefObject<HTMLElement | null>,
  ids: readonly number[],
  stop: number | null,
  focus: (id: number) => void,
): void {
  const wasInside = useRef(false);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Node && rootRef.current?.contains(target) === true;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [rootRef]);
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body && stop !== null) focus(stop);
  }, [ids, stop, focus]);
}
