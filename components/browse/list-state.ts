import { useReducer } from "react";
import { rangeBetween } from "#lib/client/desk/list.ts";

export interface ListState {
  /** Posts of the page, in their order. */
  ids: readonly number[];
  /** The post with tabindex 0 (roving tabindex). Null in an empty list. */
  tabStop: number | null;
  selected: ReadonlySet<number>;
  /** Where a range begins. */
  anchor: number | null;
  revealed: ReadonlySet<number>;
}

export type ListAction =
  | { do: "load"; ids: readonly number[] }
  | { do: "go"; id: number }
  | { do: "toggle"; id: number }
  /** Selects from the last toggled post, or from `from`, to `to`. */
  | { do: "extend"; from: number; to: number }
  | { do: "select"; ids: readonly number[] }
  | { do: "reveal"; id: number };

/** Focus, selection and revealed media of a page of posts. */
export function useListState(ids: readonly number[]) {
  const [state, act] = useReducer(reduce, ids, (first) => reduce(empty, { do: "load", ids: first }));
  if (state.ids !== ids) act({ do: "load", ids });
  return [state, act] as const;
}

const empty: ListState = {
  ids: [],
  tabStop: null,
  selected: new Set(),
  anchor: null,
  revealed: new Set(),
};

export function reduce(state: ListState, action: ListAction): ListState {
  const { ids, tabStop, selected, anchor } = state;
  switch (action.do) {
    case "load": {
      // If the post has left the list, the next one becomes the tab stop.
      const place = tabStop === null ? 0 : ids.indexOf(tabStop);
      const isHere = (id: number) => action.ids.includes(id);
      const next =
        ids.slice(place).find(isHere) ?? ids.slice(0, place).findLast(isHere) ?? action.ids[0] ?? null;
      return {
        ...state,
        ids: action.ids,
        tabStop: next,
        selected: new Set(action.ids.filter((id) => selected.has(id))),
      };
    }
    case "go":
      return tabStop === action.id ? state : { ...state, tabStop: action.id };
    case "toggle": {
      const next = new Set(selected);
      if (!next.delete(action.id)) next.add(action.id);
      return { ...state, selected: next, anchor: action.id };
    }
    case "extend": {
      const from = anchor !== null && ids.includes(anchor) ? anchor : action.from;
      return {
        ...state,
        selected: new Set([...selected, ...rangeBetween(ids, from, action.to)]),
        anchor: from,
      };
    }
    case "select":
      return { ...state, selected: new Set(action.ids), anchor: null };
    case "reveal":
      return { ...state, revealed: new Set(state.revealed).add(action.id) };
  }
}
