"use client";
import { useEffect, useRef, useState } from "react";
import { authorTarget, hostOf, useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { tellUndo } from "./undo.ts";

export interface DeckBlockProps {
  account: string;
  store: DeskStore;
  onClose: () => void;
}

/** Cards that were rejected with the block leave the desk, and the key of undo takes the block back. */
export function DeckBlock({ account, store, onClose }: DeckBlockProps) {
  const mayManage = useCan("admin");
  const { block, dialog } = useBlocking({
    blocked: ({ name, domain }, { path, rejected }) => {
      const cards = store
        .getState()
        .cards.filter(({ author_account: author }) =>
          domain === undefined ? author === name : isOn(hostOf(author), domain),
        );
      // Removing the block returns the posts.
      const removed = () =>
        apiFetch(path, { method: "DELETE" }).then(() => ({ restored: rejected, detail: undefined }));
      const undo = () => tellUndo(removed(), () => `Undone for ${name}: ${rejected} restored`);
      const entry = { id: path, decision: "reject", author: name, count: rejected, cards, undo } as const;
      if (rejected > 0) return store.decided({ ...entry, is_uncounted: true });
      store.reload();
      return undefined;
    },
  });
  const [isAsked, setIsAsked] = useState(false);
  const started = useRef(false);
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    void block({ ...authorTarget(account, mayManage), asks: true }).then(() => setIsAsked(true));
  }, [block, account, mayManage]);
  const isDone = isAsked && dialog === null;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  return dialog;
}

/** A domain with all hosts below it. */
function isOn(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
