"use client";
import { useEffect, useRef, useState } from "react";
import { hostOf } from "#components/blocking/author-target.ts";
import { ReachDialog } from "#components/blocking/reach-dialog.tsx";
import type { BlockTarget } from "#components/blocking/reach-question.ts";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import { tellUndo } from "./undo.ts";

export interface DeckBlockProps {
  target: BlockTarget;
  store: DeskStore;
  onClose: () => void;
}

/** Cards that were rejected with the block leave the desk, and the key of undo takes the block back. */
export function DeckBlock({ target, store, onClose }: DeckBlockProps) {
  const { block, question, close } = useBlocking({
    blocked: ({ name, domain }, { path, rejected }) => {
      const cards = store
        .getState()
        .cards.filter(({ author_account: account }) =>
          domain === undefined ? account === name : isOn(hostOf(account), domain),
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
    void block(target).then(() => setIsAsked(true));
  }, [block, target]);
  const isDone = isAsked && question === null;
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  return question ? <ReachDialog question={question} onClose={close} /> : null;
}

/** A domain with all hosts below it. */
function isOn(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
