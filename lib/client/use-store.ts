"use client";
import { useSyncExternalStore } from "react";

/** For `useSyncExternalStore` with a value that never changes. */
export const neverChanges = () => () => undefined;

interface Store<State> {
  subscribe: (listener: () => void) => () => void;
  getState: () => State;
}

/** State of a store that exists in the browser only. `empty` is the state on the server and without a store. */
export function useStore<State>(store: Store<State> | null | undefined, empty: State): State {
  return useSyncExternalStore(
    store?.subscribe ?? neverChanges,
    store?.getState ?? (() => empty),
    () => empty,
  );
}
