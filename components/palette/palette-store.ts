"use client";
import { useSyncExternalStore } from "react";

let isOpen = false;
const listeners = new Set<() => void>();

export function setPaletteOpen(open: boolean): void {
  isOpen = open;
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
}
