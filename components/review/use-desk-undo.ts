"use client";
import { useEffect } from "react";
import { setPageUndo } from "#components/actions/undo-store.ts";
import type { ActionList } from "#lib/actions/schema.ts";
import { actionMade, lastMadeAt, onActionUndone } from "#lib/client/actions.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { lastUndoable } from "#lib/desk/history.ts";
import type { Desk } from "./use-desk.ts";

/**
 * One undo for the decisions of the desk, which need no network, and all other actions: the later one is undone
 * first.
 */
export function useDeskUndo(desk: Desk | null): void {
  useEffect(() => {
    if (!desk) return;
    if (lastMadeAt() === null) void noteLatest();
    setPageUndo(() => {
      const entry = lastUndoable(desk.store.getState().history);
      const other = lastMadeAt();
      const isOther = !entry || (other !== null && other > Date.parse(entry.at));
      // Without a connection, the undo of another action would happen much later.
      if (isOther && navigator.onLine) return false;
      desk.store.undo();
      return true;
    });
    const end = onActionUndone(({ postId }) => {
      if (postId !== null) desk.store.undoneElsewhere(postId);
    });
    return () => {
      setPageUndo(null);
      end();
    };
  }, [desk]);
}

/** After a reload, an action of this session may be later than the last decision. */
async function noteLatest(): Promise<void> {
  const path = "/actions?this_session=true&undone=false&limit=1";
  const [last] = (await apiFetch<ActionList>(path).catch(() => null))?.items ?? [];
  if (last && last.kind !== "decision" && lastMadeAt() === null) actionMade(last.id, Date.parse(last.at));
}
