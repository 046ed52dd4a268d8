"use client";
import { useSyncExternalStore } from "react";
import { retryImport } from "#lib/client/retry-import.ts";

/* In the first load of every page; the rest of the folder is loaded with its first use. */

let isOpen = false;
const listeners = new Set<() => void>();

export function setHistoryOpen(open: boolean): void {
  isOpen = open;
  for (const each of listeners) each();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useHistoryOpen(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isOpen,
    () => false,
  );
}

/** Returns false when the last action was none of the page's own. */
type PageUndo = () => boolean;
let pageUndo: PageUndo | null = null;

/** For the desk, whose decisions are undone without the network. */
export function setPageUndo(undo: PageUndo | null): void {
  pageUndo = undo;
}

/** The last action of this session. */
export function undoLast(): void {
  if (pageUndo?.() === true) return;
  void retryImport(() => import("./undo-now.ts")).then(({ undoNewest }) => undoNewest());
}

/**
 * An action of this session, from a toast.
 *
 * @param message text about as many restored posts or entries
 */
export function undoById(id: string, message?: (restored: number) => string): void {
  void undoAndTell(id, message);
}

/** Returns false when nothing was restored. */
export async function undoAndTell(id: string, message?: (restored: number) => string): Promise<boolean> {
  const { undoAction } = await retryImport(() => import("./undo-now.ts"));
  return undoAction({ id }, message);
}
