import { useSyncExternalStore } from "react";

/** For `useSyncExternalStore` with a value that never changes. */
export const neverChanges = () => () => undefined;

interface Store<State> {
  subscribe: (listener: () => void) => () => void;
  getState: () => State;
}

/** A store for a value that several components share. */
export function sharedState<State>(state: State) {
  const listeners = new Set<() => void>();
  return {
    getState: () => state,
    setState(next: State): void {
      state = next;
      for (const each of listeners) each();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** State of a store that exists in the browser only. `empty` is the state on the server and without a store. */
export function useStore<State>(store: Store<State> | null | undefined, empty: State): State {
  return useSyncExternalStore(
    store?.subscribe ?? neverChanges,
    store?.getState ?? (() => empty),
    () => empty,
  );
}
