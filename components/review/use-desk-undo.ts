"use client";
import { useEffect } from "react";
import { setPageUndo, undoAndTell } from "#components/actions/undo-store.ts";
import * as words from "#components/words/desk.ts";
import type { ActionList } from "#lib/actions/schema.ts";
import { actionMade, lastMade, onActionUndone } from "#lib/client/actions.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { batchOfAction, type Batch } from "#lib/desk/batches.ts";
import { lastUndoable } from "#lib/desk/history.ts";
import type { DeskStore } from "#lib/desk/store.ts";
import type { Desk } from "./use-desk.ts";

/**
 * One undo for the decisions of the desk, which need no network, and all other actions: the later one is undone
 * first.
 */
export function useDeskUndo(desk: Desk | null): void {
  useEffect(() => {
    if (!desk) return;
    const { store } = desk;
    if (lastMade() === null) void noteLatest(store);
    setPageUndo(() => {
      const { history, batches } = store.getState();
      const entry = lastUndoable(history);
      const other = lastMade((id) => batches.every((each) => each.id !== id || each.status === "saved"));
      const isOther = !entry || (other !== null && other.at > Date.parse(entry.at));
      // Without a connection, the undo of another action would happen much later.
      if (!isOther || !navigator.onLine) {
        store.undo();
        return true;
      }
      const batch = batches.find((each) => each.id === other?.id);
      if (batch) undoBatch(store, batch);
      return batch !== undefined;
    });
    const end = onActionUndone(({ id, postId }) => {
      if (postId !== null) store.undoneElsewhere(postId);
      store.endBatchUndo(id, true);
    });
    return () => {
      setPageUndo(null);
      end();
    };
  }, [desk]);
}

/** Its cards return at once. */
export function undoBatch(store: DeskStore, { id, name }: Pick<Batch, "id" | "name">): void {
  store.beginBatchUndo(id);
  void undoAndTell(id, (restored) => words.review.batchUndone(restored, name)).then(
    (isUndone) => store.endBatchUndo(id, isUndone),
    () => store.endBatchUndo(id, false),
  );
}

/** After a reload: the batches of this session, and the last action when it is later than the last decision. */
async function noteLatest(store: DeskStore): Promise<void> {
  const path = "/actions?this_session=true&undone=false&limit=20";
  const { items } = (await apiFetch<ActionList>(path).catch(() => null)) ?? { items: [] };
  const [last] = items;
  store.knowBatches(items.flatMap((action) => batchOfAction(action) ?? []));
  if (last && last.kind !== "decision" && lastMade() === null) actionMade(last.id, Date.parse(last.at));
}
