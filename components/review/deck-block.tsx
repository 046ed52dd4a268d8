import { useEffect, useRef, useState } from "react";
import { authorTarget, hostOf, useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import type { DeckCard } from "#lib/review/deck-schema.ts";
import { tellUndo } from "./undo.ts";

export interface DeckBlockProps {
  account: string;
  store: DeskStore;
  onClose: () => void;
}

/** Cards that were rejected with the block leave the desk; its message and the key of undo take the block back. */
export function DeckBlock({ account, store, onClose }: DeckBlockProps) {
  const mayManage = useCan("admin");
  const { block, dialog } = useBlocking({
    blocked: ({ name, domain }, { path, rejected }) => {
      const isBlocked = ({ author_account: author }: DeckCard) =>
        domain === undefined ? author === name : isOn(hostOf(author), domain);
      if (rejected === 0) return void store.reload();
      // Removing the block returns the posts.
      const remove = () => apiFetch(path, { method: "DELETE" }).then(() => ({ restored: rejected }));
      return store.drop(store.getState().cards.filter(isBlocked), () =>
        tellUndo(remove(), () => `Undone for ${name}: ${rejected} restored`),
      );
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
