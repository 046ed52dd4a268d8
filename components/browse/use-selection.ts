"use client";
import { useMemo, useRef, useState } from "react";
import { rangeBetween } from "#lib/client/desk/list.ts";

export interface Selection {
  ids: ReadonlySet<number>;
  /** `range`: from the last toggled post to this one. */
  toggle: (id: number, range: boolean) => void;
  /** Selects from the last toggled post, or from `from`, to `to`. */
  extend: (from: number, to: number) => void;
  setPage: (on: boolean) => void;
  clear: () => void;
}

/** Another page or filter clears the selection. */
export function useSelection(shown: readonly number[], pageKey: string): Selection {
  const [ticked, setTicked] = useState<{ key: string; ids: ReadonlySet<number> }>({
    key: pageKey,
    ids: new Set(),
  });
  const anchor = useRef<number | null>(null);
  const current = ticked.key === pageKey;
  const ids = useMemo(
    () => new Set(current ? shown.filter((id) => ticked.ids.has(id)) : []),
    [current, shown, ticked.ids],
  );
  return useMemo(() => {
    const put = (next: Iterable<number>) => setTicked({ key: pageKey, ids: new Set(next) });
    return {
      ids,
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
      extend: (from, to) => {
        anchor.current ??= from;
        if (!shown.includes(anchor.current)) anchor.current = from;
        put([...ids, ...rangeBetween(shown, anchor.current, to)]);
      },
      setPage: (on) => put(on ? shown : []),
      clear: () => {
        anchor.current = null;
        put([]);
      },
    };
  }, [ids, pageKey, shown]);
}
