"use client";
import { formatCount } from "#components/format.ts";
import { lastUndoable } from "#lib/client/desk/history.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { tellUndo } from "./undo.ts";

/** The later of the last decision, which needs no network, and the last batch. */
export function undoLatest(store: DeskStore): void {
  const { history, batches } = store.getState();
  const entry = lastUndoable(history);
  const batch = batches.find(({ status }) => status === "saved");
  // Without a connection, the undo of a batch would fail.
  const isBatch = batch && navigator.onLine && (!entry || Date.parse(batch.at) > Date.parse(entry.at));
  if (isBatch) undoBatchAtDesk(store, batch.id);
  else store.undo();
}

/** Its cards return at once. */
export function undoBatchAtDesk(store: DeskStore, id: string): void {
  const batch = store.getState().batches.find((each) => each.id === id && each.status === "saved");
  if (batch === undefined) return;
  store.beginBatchUndo(id);
  void tellUndo(
    batch.undo(),
    (restored) => `Undone${batch.name === "" ? "" : ` for ${batch.name}`}: ${formatCount(restored)} restored`,
  ).then((isUndone) => store.endBatchUndo(id, isUndone));
}
