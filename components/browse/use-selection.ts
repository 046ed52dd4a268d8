"use client";
import { useMemo, useRef, useState } from "react";
import { rangeBetween } from "#lib/desk/list.ts";

export interface Selection {
  ids: ReadonlySet<number>;
  everything: boolean;
  /** `range`: from the last toggled post to this one. */
  toggle: (id: number, range: boolean) => void;
  setPage: (on: boolean) => void;
  setEverything: () => void;
  clear: () => void;
}

/** Another page or filter clears the selection. */
export function useSelection(shown: readonly number[], pageKey: string): Selection {
  const [ticked, setTicked] = useState<{ key: string; ids: ReadonlySet<number>; everything: boolean }>({
    key: pageKey,
    ids: new Set(),
    everything: false,
  });
  const anchor = useRef<number | null>(null);
  const current = ticked.key === pageKey;
  const ids = useMemo(
    () => new Set(current ? shown.filter((id) => ticked.ids.has(id)) : []),
    [current, shown, ticked.ids],
  );
  const put = (next: Iterable<number>, everything = false) =>
    setTicked({ key: pageKey, ids: new Set(next), everything });
  return {
    ids,
    everything: current && ticked.everything && ids.size > 0,
    toggle: (id, range) => {
      const on = !ids.has(id);
      const concerned = range && anchor.current !== null ? rangeBetween(shown, anchor.current, id) : [id];
      const next = new Set(ids);
      for (const each of concerned) {
        if (on) next.add(each);
        else next.delete(each);
      }
      anchor.current = id;
      put(next);
    },
    setPage: (on) => put(on ? shown : []),
    setEverything: () => put(shown, true),
    clear: () => {
      anchor.current = null;
      put([]);
    },
  };
}
