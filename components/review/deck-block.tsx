import { useEffect, useRef, useState } from "react";
import { authorTarget, useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { notifyUndo } from "./undo.ts";

export interface DeckBlockProps {
  account: string;
  store: DeskStore;
  onClose: () => void;
}

/** Blocks the author of the card on top. The toast and the undo key remove the block again. */
export function DeckBlock({ account, store, onClose }: DeckBlockProps) {
  const mayManage = useCan("admin");
  const { block, dialog } = useBlocking({
    blocked: ({ name }, { path, rejected }) => {
      if (rejected === 0) return void store.reload();
      // Removing the block returns its posts to review.
      const remove = () => apiFetch(path, { method: "DELETE" }).then(() => ({ restored: rejected }));
      const undone = () => `Undone for ${name}: ${rejected} restored`;
      const undo = store.blocked(() => notifyUndo(remove(), undone, () => undo()));
      return undo;
    },
  });
  const [isAsked, setIsAsked] = useState(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void block({ ...authorTarget(account, mayManage), alwaysAsks: true }).then(() => setIsAsked(true));
  }, [block, account, mayManage]);
  const isDone = isAsked && dialog === null;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  return dialog;
}
