"use client";
import { mutate } from "swr";
import { notifyDone, notifyInfo } from "#components/ui/toast.tsx";
import { tellUndo, type Undone } from "./undo.ts";

/* Undo of decisions and batches outside the desk: from their message, or by its key for the last one of this tab. */

const made: (() => void)[] = [];

interface DecidedOptions {
  description?: string | undefined;
  /** After the undo, for a page that the server rendered. */
  after?: () => void;
}

/**
 * Says that posts were decided, with an undo.
 *
 * @param undone message about the restored posts
 */
export function notifyDecided(
  title: string,
  undo: () => Promise<Undone>,
  undone: (restored: number) => string,
  { description, after }: DecidedOptions = {},
): void {
  const run = () => {
    const index = made.indexOf(run);
    // Pressed twice.
    if (index < 0) return;
    made.splice(index, 1);
    void tellUndo(undo(), undone).then(() => {
      void mutate(() => true);
      after?.();
    });
  };
  made.push(run);
  notifyDone(title, { undo: run, ...(description === undefined ? {} : { description }) });
}

/** The last decision or batch of this tab. */
export function undoLast(): void {
  const last = made.at(-1);
  if (last === undefined) notifyInfo("Nothing to undo");
  else last();
}
